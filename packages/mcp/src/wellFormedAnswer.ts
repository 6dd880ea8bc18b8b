/** Answers that the SDK would not recognise as such, and whose callers would wait for their timeout. */

const INTERNAL_ERROR = -32_603

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A malformed answer to a request as an error; every other message as it is. */
export const wellFormedAnswer = (message: unknown): unknown => {
  if (!isRecord(message) || "method" in message) return message
  const { error, id, result } = message
  if (typeof id !== "number" && typeof id !== "string") return message
  const isFine = error === undefined ? isResult(result) : isError(error)
  if (isFine) return message
  const text = error === undefined ? "MCP server sent a malformed result" : "MCP server sent a malformed error"
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: text } }
}

const isResult = (result: unknown): boolean =>
  isRecord(result) && (result["_meta"] === undefined || isRecord(result["_meta"]))

const isError = (error: unknown): boolean =>
  isRecord(error) && Number.isSafeInteger(error["code"]) && typeof error["message"] === "string"
