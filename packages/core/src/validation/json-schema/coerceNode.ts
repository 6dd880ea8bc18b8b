/** Text where a schema asks for another type: models write `"3"` for 3, and a list as its JSON. */
import { allOf } from "./keywords/allOf.ts"
import { anyOf } from "./keywords/anyOf.ts"
import { constantsOf } from "./keywords/enum.ts"
import { items } from "./keywords/items.ts"
import { oneOf } from "./keywords/oneOf.ts"
import { prefixItems } from "./keywords/prefixItems.ts"
import { memberRules } from "./keywords/properties.ts"
import { ref } from "./keywords/ref.ts"
import { allowedBits, type } from "./keywords/type.ts"
import { bitOf, STRING } from "./kinds.ts"
import { parseExact } from "./parseExact.ts"
import { type Place, pointerOf, root } from "./Report.ts"
import type { SchemaNode } from "./SchemaNode.ts"
import { isList, isMembers } from "./shapes.ts"
import { charge } from "./steps.ts"

/** One text that was read as JSON. `path` is the JSON Pointer in the value. */
export interface Coercion {
  readonly path: string
  readonly from: string
  readonly to: unknown
}

export interface Coerced {
  /** A new value; parts that did not change are shared with the old one. */
  readonly value: unknown
  readonly changes: ReadonlyArray<Coercion>
}

export const coerceNode = (node: SchemaNode, value: unknown): Coerced => {
  const changes: Array<Coercion> = []
  return { value: coerce(node, value, root, changes), changes }
}

const coerce = (node: SchemaNode, value: unknown, at: Place, changes: Array<Coercion>): unknown => {
  charge(1)
  const own = typeof value === "string" ? coerceText(node, value, at, changes) : value
  const inner = isList(own)
    ? coerceItems(node, own, at, changes)
    : isMembers(own)
      ? coerceMembers(node, own, at, changes)
      : own
  const applied = [node.get(ref)?.target, ...(node.get(allOf) ?? [])]
  const all = applied.reduce((last, schema) => (schema === undefined ? last : coerce(schema, last, at, changes)), inner)
  const branches = (node.get(anyOf) ?? node.get(oneOf))?.branches
  return branches === undefined ? all : coerceToBranch(branches, all, at, changes)
}

const coerceText = (node: SchemaNode, text: string, at: Place, changes: Array<Coercion>): unknown => {
  const isTyped = node.get(type) !== undefined || constantsOf(node) !== undefined
  if (!isTyped || takesText(node)) return text
  charge(text.length)
  const value = parseExact(text)
  if ((bitOf(value) & allowedBits(node)) === 0) return text
  changes.push({ path: pointerOf(at), from: text, to: value })
  return value
}

/** Whether a text may stand here as it is, whatever it says: then nobody touches it. */
const takesText = (node: SchemaNode): boolean => {
  charge(4)
  if (node.verdict !== undefined) return node.verdict
  if ((allowedBits(node) & STRING) === 0) return false
  const constants = constantsOf(node)
  if (constants !== undefined) return constants.some((constant) => typeof constant === "string")
  const target = node.get(ref)?.target
  const branches = (node.get(anyOf) ?? node.get(oneOf))?.branches
  return (
    (target === undefined || takesText(target)) &&
    (node.get(allOf) ?? []).every(takesText) &&
    (branches === undefined || branches.some(takesText))
  )
}

/** The first branch that takes the value once it is coerced, unless one takes it as it is. */
const coerceToBranch = (
  branches: ReadonlyArray<SchemaNode>,
  value: unknown,
  at: Place,
  changes: Array<Coercion>
): unknown => {
  if (typeof value === "string" && branches.some(takesText)) return value
  if (branches.some((branch) => branch.check(value, undefined))) return value
  for (const branch of branches) {
    const tried: Array<Coercion> = []
    const coerced = coerce(branch, value, at, tried)
    if (!branch.check(coerced, undefined)) continue
    changes.push(...tried)
    return coerced
  }
  return value
}

const coerceItems = (
  node: SchemaNode,
  value: ReadonlyArray<unknown>,
  at: Place,
  changes: Array<Coercion>
): ReadonlyArray<unknown> => {
  const given = node.get(items)
  const tuple = node.get(prefixItems) ?? (given !== undefined && isList(given) ? given : [])
  const rest = given !== undefined && !isList(given) ? given : undefined
  const before = changes.length
  const coerced = value.map((item, index) => {
    const schema = tuple[index] ?? rest
    return schema === undefined ? item : coerce(schema, item, { parent: at, key: index }, changes)
  })
  return changes.length === before ? value : coerced
}

const coerceMembers = (
  node: SchemaNode,
  value: Readonly<Record<string, unknown>>,
  at: Place,
  changes: Array<Coercion>
): Readonly<Record<string, unknown>> => {
  const { declared, patterns, additional } = memberRules(node)
  const before = changes.length
  const coerced = Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const named = [
        declared.get(key),
        ...patterns.map(([pattern, schema]) => (pattern.test(key) ? schema : undefined))
      ]
      const known = named.filter((schema) => schema !== undefined)
      const schemas = known.length === 0 && additional !== undefined ? [additional] : known
      return [key, schemas.reduce((last, schema) => coerce(schema, last, { parent: at, key }, changes), member)]
    })
  )
  return changes.length === before ? value : coerced
}
