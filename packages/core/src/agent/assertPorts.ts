/** What a host hands in must have the functions that it is called by: said where it is given, not where it is missed. */

/** By field: an object with these functions. */
const objects = new Map<string, ReadonlyArray<string>>([
  ["provider", ["generate"]],
  ["store", ["append", "list"]],
  ["runLedger", ["appendRun", "appendEvent", "appendToolCall", "appendUsage"]],
  ["middleware", ["run"]],
  ["permission", ["check"]],
  ["redactor", ["redact"]],
  ["inputBuilder", ["build"]],
  ["promptBuilder", ["build"]],
  ["resourceLoader", ["load"]]
])

/** By field: a list of objects with this function; of policies also a lone one. */
const lists = new Map([
  ["context", "resolve"],
  ["instructionInjectors", "apply"],
  ["providerRequestPolicies", "apply"]
])

const functions: ReadonlySet<string> = new Set(["providerSource", "validator", "validate"])

/** Throws `TypeError` for a known field of the options that lacks a function. Absent fields are not looked at. */
export const assertPorts = (options: object): void => {
  for (const [field, value] of Object.entries(options)) if (value !== undefined) assertPort(field, value)
}

const assertPort = (field: string, value: unknown): void => {
  const names = objects.get(field)
  if (names !== undefined) return assertFunctions(field, value, names)
  if (functions.has(field) && typeof value !== "function") throw new TypeError(`${field} must be a function`)
  const name = lists.get(field)
  if (name === undefined) return
  if (Array.isArray(value)) for (const [at, item] of value.entries()) assertFunctions(`${field}[${at}]`, item, [name])
  else if (field === "providerRequestPolicies") assertFunctions(field, value, [name])
  else throw new TypeError(`${field} must be a list`)
}

const assertFunctions = (field: string, value: unknown, names: ReadonlyArray<string>): void => {
  const missing = names.filter((name) => typeof read(value, name) !== "function")
  if (missing.length > 0) throw new TypeError(`${field} must have the function ${missing.join(", ")}`)
}

const read = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
