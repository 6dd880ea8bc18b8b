/** Tools with typed arguments. Public subpath: loads `effect/Schema`, so that only who defines tools this way pays. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { HostValue } from "../ports/HostValue.ts"
import { fromSteps, waitFor } from "../ports/Steps.ts"
import type { ToolDefinition, ToolExecutionContext } from "../ports/ToolDefinition.ts"
import type { JsonObject } from "../schema/Json.ts"
import { fromJsonSchema } from "../validation/json-schema/toEffectSchema.ts"

/** A Schema that needs no services: of arguments, or of what a tool answers. */
export type DataSchema<A> = Schema.Codec<A, unknown>

export interface ToolOptions<Arguments, Success> extends Omit<ToolDefinition, "parameters" | "execute"> {
  /** An Effect Schema, from which the model gets its JSON Schema, or a JSON Schema, whose type the caller says. */
  readonly parameters: DataSchema<Arguments> | JsonObject
  /** What the tool answers; encoded to JSON for the model. Absent: the answer must be JSON as it is. */
  readonly success?: DataSchema<Success> | undefined
  /** Gets decoded arguments: defaults filled in, transformations done. */
  execute(args: Arguments, context: ToolExecutionContext): HostValue<Success>
}

const strict = { errors: "all", onExcessProperty: "error" } as const

/**
 * A tool that is typed from its Schemas. `parameters` of the result is the JSON Schema, which an agent's validator checks
 * first. Arguments that do not decode, and answers that do not encode, make an error result that names each path. Throws
 * `SchemaRejectedError` for a JSON Schema that cannot be admitted.
 */
export const define = <Arguments, Success>(options: ToolOptions<Arguments, Success>): ToolDefinition => {
  const { parameters, success, ...tool } = options
  const schema = Schema.isSchema(parameters) ? parameters : fromJsonSchema<Arguments>(parameters)
  const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(schema), strict)
  const encode = success === undefined ? Effect.succeed : Schema.encodeEffect(Schema.toCodecJson(success), strict)
  return {
    ...tool,
    parameters: Schema.isSchema(parameters) ? jsonSchemaOf(parameters) : parameters,
    execute: (args, context) =>
      decode(args).pipe(
        Effect.flatMap((decoded) => fromSteps(() => waitFor(options.execute(decoded, context)))),
        Effect.flatMap(encode),
        Effect.map((value) => ({ toolCallId: context.toolCallId, name: tool.name, value }))
      )
  }
}

/** One document: what the Schema module keeps beside it goes under `$defs`. */
const jsonSchemaOf = (schema: Schema.Constraint): JsonObject => {
  const { schema: root, definitions } = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  // What the Schema module generates is JSON.
  return (Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }) as JsonObject
}
