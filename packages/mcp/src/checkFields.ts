/** Whether options have no field but those that are known, each of its kind. */
import { createJsonSchemaArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import process from "node:process"
import { McpBridgeError } from "./errors/McpBridgeError.ts"

interface Kind {
  readonly noun: string
  readonly is: (value: unknown) => boolean
  /** Of every value of an object. */
  readonly values?: Kind
}

/** The fields of `Options`, all of them and no other. */
export type Fields<Options> = { readonly [Name in keyof Required<Options>]: Kind }

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** No `Map` or the like, whose entries nobody would see. The environment of a process has a prototype of its own. */
const isPlain = (value: unknown): boolean =>
  value === process.env || (isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null))

/** Judged where it is used, in words of its own. */
export const JUDGED: Kind = { noun: "", is: () => true }
export const TEXT: Kind = { noun: "a string", is: (value) => typeof value === "string" }
export const FLAG: Kind = { noun: "true or false", is: (value) => typeof value === "boolean" }
export const METHOD: Kind = { noun: "a function", is: (value) => typeof value === "function" }
export const OBJECT: Kind = { noun: "an object", is: isObject }
export const TEXTS: Kind = { noun: "a plain object", is: isPlain, values: TEXT }
export const SIGNAL: Kind = {
  noun: "an AbortSignal",
  is: (value) => typeof (Object(value) as Partial<AbortSignal>).throwIfAborted === "function"
}

export const withMethod = (method: string): Kind => ({
  noun: `an object with the method ${method}`,
  is: (value) => isObject(value) && typeof (value as Readonly<Record<string, unknown>>)[method] === "function"
})

/**
 * Throws `McpBridgeError` for a field that is unknown, with the name that may be meant, and for one that is of another kind;
 * a field that is `undefined` counts as absent, one that is not the object's own is not looked at. `name` is the object's,
 * and empty for the options themselves. No value is repeated: it may be a secret.
 */
export const checkFields = (name: string, given: object, fields: { readonly [field: string]: Kind }): void => {
  const path = name === "" ? "" : `${name}.`
  for (const [field, value] of Object.entries(given)) {
    const kind = Object.hasOwn(fields, field) ? fields[field] : undefined
    if (kind === undefined) throw new McpBridgeError(`${name || "MCP options"} ${unknownField(given, field, fields)}`)
    if (value !== undefined) checkField(path + field, value, kind)
  }
}

/** Throws `McpBridgeError` for anything else than one of these, or nothing. */
export const assertOneOf = (name: string, value: unknown, allowed: ReadonlyArray<string>): void => {
  if (value === undefined || allowed.includes(value as string)) return
  const got = typeof value === "string" ? value : described(value)
  throw new McpBridgeError(`${name} must be ${allowed.map((one) => `"${one}"`).join(" or ")} (got ${got})`)
}

/** Throws `McpBridgeError` for a value of another kind. */
export const checkField = (name: string, value: unknown, { is, noun, values }: Kind): void => {
  if (!is(value)) throw new McpBridgeError(`${name} must be ${noun} (got ${described(value)})`)
  if (values === undefined) return
  for (const [key, inner] of Object.entries(value as object)) checkField(`${name}.${key}`, inner, values)
}

/** In the words in which a model is told of a misspelt argument. */
const unknownField = (given: object, field: string, fields: object): string => {
  const properties = Object.fromEntries(Object.keys(fields).map((name) => [name, {}]))
  const schema = { type: "object", properties, additionalProperties: false }
  const names = Object.keys(given).filter((name) => name === field || Object.hasOwn(properties, name))
  const { errors = [] } = createJsonSchemaArgumentValidator().validate(
    schema,
    Object.fromEntries(names.map((name) => [name, null]))
  )
  const message = errors[0]?.message ?? "has an unknown field"
  return message.includes("; did you mean ") ? message : `${message}; it may have ${Object.keys(fields).join(", ")}`
}

const described = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}
