import type { JsonObject, JsonValue } from "../schema/Json.ts"

/** A copy of arguments that are JSON, for a tool to do with as it likes: transcript, events and ledger keep what was asked. */
export const ownArguments = (given: JsonObject): JsonObject => {
  const own: Record<string, JsonValue> = {}
  // Arguments are JSON, so no key is one that would change the prototype.
  for (const key of Object.keys(given)) own[key] = ownValue(given[key] ?? null)
  return own
}

const ownValue = (value: JsonValue): JsonValue => {
  if (typeof value !== "object" || value === null) return value
  return isList(value) ? value.map(ownValue) : ownArguments(value)
}

// The library's own check does not narrow to a read-only array.
const isList = (value: JsonObject | ReadonlyArray<JsonValue>): value is ReadonlyArray<JsonValue> => Array.isArray(value)
