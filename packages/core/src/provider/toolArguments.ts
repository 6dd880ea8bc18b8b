/** Streamed argument text → a call, or a call that is blocked because its text is no JSON object. */
import { isLongerThan } from "../limits/byteLength.ts"
import { ProviderLimits } from "../limits/ProviderLimits.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { JsonObject } from "../schema/Json.ts"

const MAX_BYTES = ProviderLimits.table.toolArgumentBytes.hardCap

/**
 * Reads the whole argument text of a call. Empty or blank text means `{}`. Text that is no JSON object, or weighs more
 * than 1,048,576 bytes, gives a call with `argumentsError` (code `invalid_json_arguments` or
 * `tool_arguments_too_large`), which dispatch blocks. Never throws.
 */
export const toolCallFromArgumentsText = (id: string, name: string, text: string): ToolCallContent => {
  if (isLongerThan(text, MAX_BYTES)) {
    return blocked(id, name, "tool_arguments_too_large", `Tool arguments exceed ${MAX_BYTES} bytes`)
  }
  if (text.trim() === "") return { type: "tool_call", id, name, arguments: {} }
  const value = parse(text)
  return isObject(value)
    ? { type: "tool_call", id, name, arguments: value }
    : blocked(id, name, "invalid_json_arguments", "Tool arguments are not a JSON object")
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// What JSON.parse returns is JSON; forbidden keys are the business of dispatch.
const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const blocked = (id: string, name: string, code: string, message: string): ToolCallContent => ({
  type: "tool_call",
  id,
  name,
  arguments: {},
  argumentsError: { message, code }
})
