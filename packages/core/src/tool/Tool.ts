/** Tools with typed arguments. Public subpath: loads `effect/Schema`, so that only who defines tools this way pays. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SchemaRejectedError } from "../errors/SchemaRejectedError.ts"
import { ToolArgumentsError } from "../errors/ToolArgumentsError.ts"
import { ToolResultError } from "../errors/ToolResultError.ts"
import type { HostValue } from "../ports/HostValue.ts"
import { fromSteps, waitFor } from "../ports/Steps.ts"
import type { ToolDefinition, ToolExecutionContext } from "../ports/ToolDefinition.ts"
import type { JsonObject } from "../schema/Json.ts"
import { fromJsonSchema } from "../validation/json-schema/toEffectSchema.ts"

/** A Schema that needs no services: of arguments, or of what a tool answers. */
export type DataSchema<A> = Schema.Codec<A, unknown>

export interface ToolOptions<Arguments, Success> extends Omit<ToolDefinition, "parameters" | "execute"> {
  /** An Effect Schema of an object, from which the model gets its JSON Schema, or a JSON Schema, whose type the caller says. */
  readonly parameters: DataSchema<Arguments> | JsonObject
  /** What the tool answers; encoded to JSON for the model. Absent: the answer must be JSON as it is. */
  readonly success?: DataSchema<Success> | undefined
  /** Gets decoded arguments: defaults filled in, transformations done. */
  readonly execute: (args: Arguments, context: ToolExecutionContext) => HostValue<Success>
}

const strict = { errors: "all", onExcessProperty: "error" } as const

/**
 * A tool that is typed from its Schemas. `parameters` of the result is the JSON Schema, which an agent's validator checks
 * first. Arguments that do not decode make a `ToolArgumentsError`, answers that do not encode a `ToolResultError`; both
 * name each path. Throws `SchemaRejectedError` for a JSON Schema that cannot be admitted, and a `TypeError` for a Schema
 * of anything but an object.
 */
export const define = <Arguments, Success = unknown>(options: ToolOptions<Arguments, Success>): ToolDefinition => {
  const { execute, parameters, success, ...tool } = options
  const schema = Schema.isSchema(parameters) ? parameters : admitted<Arguments>(tool.name, parameters)
  const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(schema), strict)
  const encode = success === undefined ? Effect.succeed : Schema.encodeEffect(Schema.toCodecJson(success), strict)
  return {
    ...tool,
    parameters: Schema.isSchema(parameters) ? jsonSchemaOf(tool.name, parameters) : parameters,
    execute: (args, context) =>
      decode(args).pipe(
        Effect.mapError(({ message }) => new ToolArgumentsError({ tool: tool.name, problem: message })),
        Effect.flatMap((decoded) => fromSteps(() => waitFor(execute(decoded, context)))),
        Effect.flatMap((answer) =>
          Effect.mapError(encode(answer), ({ message }) => new ToolResultError({ tool: tool.name, problem: message }))
        ),
        Effect.map((value) => ({ toolCallId: context.toolCallId, name: tool.name, value }))
      )
  }
}

const admitted = <Arguments>(tool: string, parameters: JsonObject): DataSchema<Arguments> => {
  try {
    return fromJsonSchema<Arguments>(parameters)
  } catch (error) {
    if (!(error instanceof SchemaRejectedError)) throw error
    throw new SchemaRejectedError({ pointer: error.pointer, reason: `parameters of tool ${tool}: ${error.reason}` })
  }
}

/** One document: what the Schema module keeps beside it goes under `$defs`. */
const jsonSchemaOf = (tool: string, schema: Schema.Constraint): JsonObject => {
  const { schema: root, definitions } = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  const { type } = root
  // The Schema of no members is one of everything but null, and the model would not know that it wants an object.
  if (JSON.stringify(root) === '{"not":{"type":"null"}}') {
    return { type: "object", properties: {}, additionalProperties: false }
  }
  if (type !== undefined && type !== "object") {
    throw new TypeError(`Tool ${tool}: parameters must be a Schema of an object, not of type ${JSON.stringify(type)}`)
  }
  // What the Schema module generates is JSON.
  return (Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }) as JsonObject
}
