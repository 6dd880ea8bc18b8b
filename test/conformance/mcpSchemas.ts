/** 300 input schemas in the style of those that public tool servers list. */
import { dialectSchemas } from "./schemas/dialects.ts"
import { furtherHandWrittenSchemas } from "./schemas/furtherHandWritten.ts"
import { handWrittenSchemas } from "./schemas/handWritten.ts"
import { type ListedSchema, ready, type ReadySchema } from "./schemas/ListedSchema.ts"
import { oddSchemas } from "./schemas/odd.ts"
import { openApiSchemas } from "./schemas/openApi.ts"
import { pydanticSchemas } from "./schemas/pydantic.ts"
import { refusedSchemas } from "./schemas/refused.ts"
import { typedSchemas } from "./schemas/typed.ts"
import { zodSchemas } from "./schemas/zod.ts"

const TOTAL = 300

/** All of different shape. */
export const writtenSchemas: ReadonlyArray<ListedSchema> = [
  ...zodSchemas,
  ...pydanticSchemas,
  ...typedSchemas,
  ...handWrittenSchemas,
  ...furtherHandWrittenSchemas,
  ...openApiSchemas,
  ...dialectSchemas,
  ...oddSchemas,
  ...refusedSchemas
]

/** As a gateway lists it that puts its own words around the schemas of others. */
const relisted = ({ name, schema, valid, invalid }: ReadySchema): ReadySchema =>
  ready(
    `${name}, relisted`,
    { title: name, "x-server": "gateway", ...(schema as object), $comment: name },
    valid,
    invalid
  )

const isReady = (listed: ListedSchema): listed is ReadySchema => "valid" in listed
const isObject = ({ schema }: ReadySchema): boolean => typeof schema === "object"

export const mcpSchemas: ReadonlyArray<ListedSchema> = [
  ...writtenSchemas,
  ...writtenSchemas.filter(isReady).filter(isObject).map(relisted)
].slice(0, TOTAL)
