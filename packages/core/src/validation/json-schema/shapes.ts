/** What a keyword's value may be, as the meta-schemas of the dialects say it. */
import type { Members, Reader, SchemaNode, Shape } from "./SchemaNode.ts"

const leaf =
  <Value>(expected: string, holds: (raw: unknown) => raw is Value): Shape<Value> =>
  (raw, reader) =>
    holds(raw) ? raw : reader.fail(`must be ${expected}`)

const isNumber = (raw: unknown): raw is number => typeof raw === "number"
const isText = (raw: unknown): raw is string => typeof raw === "string"
const isFlag = (raw: unknown): raw is boolean => typeof raw === "boolean"
export const isList = (raw: unknown): raw is ReadonlyArray<unknown> => Array.isArray(raw)
export const isMembers = (raw: unknown): raw is Members => typeof raw === "object" && raw !== null && !isList(raw)

export const anything: Shape<unknown> = (raw) => raw
export const finite = leaf("a number", isNumber)
export const positive = leaf("a number above 0", (raw): raw is number => isNumber(raw) && raw > 0)
export const natural = leaf(
  "an integer of at least 0",
  (raw): raw is number => isNumber(raw) && Number.isInteger(raw) && raw >= 0
)
export const text = leaf("a string", isText)
export const flag = leaf("a boolean", isFlag)
export const list = leaf("an array", isList)

/** Of at least one item in draft-04. */
export const enumValues: Shape<ReadonlyArray<unknown>> = (raw, reader) => filled(list(raw, reader), reader)

const filled = <Items extends ReadonlyArray<unknown>>(items: Items, reader: Reader): Items =>
  items.length === 0 && !reader.dialect.hasEmptyLists ? reader.fail("must not be empty") : items

const isNames = (raw: unknown): raw is ReadonlyArray<string> => isList(raw) && raw.every(isText) && areDifferent(raw)

/** A few are compared one by one, which costs no set. */
const areDifferent = (items: ReadonlyArray<unknown>): boolean =>
  items.length > 8 ? new Set(items).size === items.length : items.every((item, index) => items.indexOf(item) === index)
export const names = leaf("an array of strings without duplicates", isNames)

/** Of at least one name in draft-04. */
export const requiredNames: Shape<ReadonlyArray<string>> = (raw, reader) =>
  // Draft-03 had it on the property itself, and many still write it there.
  isFlag(raw)
    ? reader.fail("must be an array of names, in the object that has the property")
    : filled(names(raw, reader), reader)

/** A number; in draft-04 and OpenAPI 3.0 a boolean that belongs to the bound beside it. */
export const exclusiveBound: Shape<number | boolean> = (raw, reader) => {
  const { exclusive } = reader.dialect
  if ((isNumber(raw) || isFlag(raw)) && exclusive.some((type) => type === typeof raw)) return raw
  return reader.fail(`must be a ${exclusive.join(" or ")}`)
}

export const schema: Shape<SchemaNode> = (raw, reader) => reader.child(raw)

/** At least one schema. */
export const schemas: Shape<ReadonlyArray<SchemaNode>> = (raw, reader) =>
  isList(raw) && raw.length > 0
    ? raw.map((item, index) => reader.child(item, index))
    : reader.fail("must be an array of at least one schema")

/** One schema for all items; before 2020-12 also one for each. */
export const itemSchemas: Shape<SchemaNode | ReadonlyArray<SchemaNode>> = (raw, reader) =>
  isList(raw) && reader.dialect.hasTupleItems ? schemas(raw, reader) : schema(raw, reader)

/** An object of schemas and such. Some languages write an empty object as an empty array. */
const members: Shape<Members> = (raw, reader) => {
  if (isList(raw) && raw.length === 0) return {}
  return isMembers(raw) ? raw : reader.fail("must be an object")
}

/** Fills a map with what `read` makes of each member: names such as `toString` are in it only where a schema has them. */
export const mapOf = <Value>(
  raw: unknown,
  reader: Reader,
  read: (item: unknown, name: string) => Value
): ReadonlyMap<string, Value> => {
  const given = members(raw, reader)
  const map = new Map<string, Value>()
  for (const name of Object.keys(given)) map.set(name, read(given[name], name))
  return map
}

export const schemaMap: Shape<ReadonlyMap<string, SchemaNode>> = (raw, reader) =>
  mapOf(raw, reader, (item, name) => reader.child(item, name))

export const namesMap: Shape<ReadonlyMap<string, ReadonlyArray<string>>> = (raw, reader) =>
  mapOf(raw, reader, (item) => names(item, reader))
