/** Opt-in repair of arguments that are right but for their types, before anything else sees the call. */
import * as Result from "effect/Result"
import type { Middleware } from "../../ports/MiddlewarePort.ts"
import type { ToolDefinition } from "../../ports/ToolDefinition.ts"
import type { ToolCallContent } from "../../schema/Content.ts"
import type { Coercion } from "./coerceNode.ts"
import { type JsonSchemaValidatorOptions, makeValidator, resolveLimits } from "./JsonSchemaValidator.ts"

/** What was changed in one call. */
export interface ArgumentCoercion {
  readonly toolCallId: string
  readonly toolName: string
  readonly changes: ReadonlyArray<Coercion>
}

export interface JsonSchemaArgumentCoercionOptions extends JsonSchemaValidatorOptions {
  /** The tools whose `parameters` guide the repair. Calls of others pass as they are. */
  readonly tools: ReadonlyArray<ToolDefinition>
  /** Told of every call that is changed, with the values before and after; these are not redacted. */
  readonly onCoerced?: ((coercion: ArgumentCoercion) => void) | undefined
}

/**
 * A `tool_call` middleware. Arguments that their tool's schema refuses are tried with texts read as JSON where the
 * schema takes no string: `"3"` for an integer, a list written as text. Only where the whole then passes does the call
 * go on with the new arguments, for permission, validation, events, ledger and tool alike; the old ones are not
 * changed. Throws as the validator's constructor does.
 */
export const createJsonSchemaArgumentCoercion = ({
  tools,
  onCoerced,
  ...options
}: JsonSchemaArgumentCoercionOptions): Middleware<ToolCallContent> => {
  const validator = makeValidator(resolveLimits(options))
  const schemas = new Map(tools.map(({ name, parameters }) => [name, parameters]))
  return (call) => {
    const schema = schemas.get(call.name)
    const compiled = schema === undefined ? undefined : validator.compile(schema)
    if (compiled === undefined || Result.isFailure(compiled)) return undefined
    const coerced = compiled.success.coerce(call.arguments)
    if (coerced === undefined) return undefined
    onCoerced?.({ toolCallId: call.id, toolName: call.name, changes: coerced.changes })
    // What replaces a JSON object is one: only texts inside it were read.
    return { ...call, arguments: coerced.value as ToolCallContent["arguments"] }
  }
}
