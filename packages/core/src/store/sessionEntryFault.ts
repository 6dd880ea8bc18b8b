/** What a stored row must be. */

const kinds = new Map<unknown, (entry: Record<string, unknown>) => string | undefined>([
  ["message", ({ message }) => (isObject(message) ? undefined : "message must be an object")],
  [
    "event",
    ({ event }) => (isObject(event) && isText(event["type"]) ? undefined : "event must be an object with a type")
  ],
  ["summary", ({ summary }) => (isText(summary) ? undefined : "summary must be a string")],
  ["model_change", ({ model }) => (isObject(model) ? undefined : "model must be an object")],
  ["label", ({ label }) => (isText(label) ? undefined : "label must be a string")],
  ["metadata", ({ data }) => (isObject(data) ? undefined : "data must be an object")],
  ["custom", ({ data }) => (isObject(data) ? undefined : "data must be an object")],
  ["compaction", ({ data }) => (isObject(data) ? undefined : "data must be an object")]
])

const isText = (value: unknown): value is string => typeof value === "string"
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Why a value read from outside is no session entry, or `undefined` if it is one. Other fields than named here are not judged. */
export const sessionEntryFault = (value: unknown): string | undefined => {
  if (!isObject(value)) return "entry must be an object"
  for (const field of ["id", "sessionId", "timestamp", "kind"]) {
    if (!isText(value[field])) return `${field} must be a string`
  }
  if (value["parentId"] !== undefined && !isText(value["parentId"])) return "parentId must be a string"
  if (value["schemaVersion"] !== undefined && value["schemaVersion"] !== 1) return "schemaVersion must be 1"
  const faultOf = kinds.get(value["kind"])
  return faultOf === undefined ? `unknown kind ${String(value["kind"])}` : faultOf(value)
}
