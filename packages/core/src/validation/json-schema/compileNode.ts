/** The first tier: one closure per schema location, sorted by the types of instance that its keywords look at. */
import { Evaluated } from "./Evaluated.ts"
import { always } from "./Keyword.ts"
import { allowedBits, type } from "./keywords/type.ts"
import { unevaluatedItems } from "./keywords/unevaluatedItems.ts"
import { unevaluatedProperties } from "./keywords/unevaluatedProperties.ts"
import { ANY, ARRAY, BOOLEAN, FRACTION, INTEGER, NULL, NUMBER, OBJECT, STRING } from "./kinds.ts"
import type { Check, Kind, SchemaNode } from "./SchemaNode.ts"

const never: Check = () => false

export const compileNode = (node: SchemaNode): Check => {
  if (node.verdict !== undefined) return node.verdict ? always : never
  const check = byType(allowedBits(node), node)
  return isTracking(node) ? tracking(check) : check
}

/** Whether a node must know what its other keywords have answered for. */
export const isTracking = (node: SchemaNode): boolean =>
  node.get(unevaluatedProperties) !== undefined || node.get(unevaluatedItems) !== undefined

/** Gives an `unevaluated…` keyword, which runs last, what the others have answered for. */
const tracking =
  (check: Check): Check =>
  (value, seen) => {
    const own = new Evaluated()
    if (!check(value, own)) return false
    seen?.merge(own)
    return true
  }

const byType = (allowed: number, node: SchemaNode): Check => {
  switch (allowed) {
    case STRING:
      return onlyStrings(checksOn("string", node))
    case INTEGER:
      return onlyIntegers(checksOn("number", node))
    case NUMBER:
      return onlyNumbers(checksOn("number", node))
    case BOOLEAN:
      return onlyBooleans(checksOn(undefined, node))
    case ARRAY:
      return onlyArrays(checksOn("array", node))
    case OBJECT:
      return onlyObjects(checksOn("object", node))
    case ANY:
      if (isGeneral(node)) return checksOn(undefined, node)
      break
    default:
  }
  return ofSeveralTypes(allowed, node)
}

/** Whether no keyword cares for the type of the instance. */
const isGeneral = (node: SchemaNode): boolean => {
  for (const { keyword } of node.parts) if (keyword.on !== "any") return false
  return true
}

/** All that looks at one kind of instance, in one. The kind is tested before, so that each check gets what it takes. */
const checksOn = (kind: Kind | undefined, node: SchemaNode): Check => {
  let [first, second]: [Check | undefined, Check | undefined] = [undefined, undefined]
  let others: Array<Check> | undefined
  for (const { keyword, value } of node.parts) {
    if (keyword === type || (keyword.on !== "any" && keyword.on !== kind)) continue
    const next = keyword.check?.(value, node) as Check | undefined
    if (next === undefined || next === always) continue
    if (first === undefined) first = next
    else if (second === undefined) second = next
    else (others ??= [first, second]).push(next)
  }
  if (others !== undefined) return all(others)
  if (first === undefined) return always
  return second === undefined ? first : both(first, second)
}

const both =
  (first: Check, second: Check): Check =>
  (value, seen) =>
    first(value, seen) && second(value, seen)

const all =
  (checks: ReadonlyArray<Check>): Check =>
  (value, seen) => {
    for (const check of checks) if (!check(value, seen)) return false
    return true
  }

const isString: Check = (value) => typeof value === "string"
const isNumber: Check = (value) => typeof value === "number"
const isBoolean: Check = (value) => typeof value === "boolean"
const isObject: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

const onlyStrings = (rest: Check): Check =>
  rest === always ? isString : (value, seen) => typeof value === "string" && rest(value, seen)
const onlyNumbers = (rest: Check): Check =>
  rest === always ? isNumber : (value, seen) => typeof value === "number" && rest(value, seen)
const onlyBooleans = (rest: Check): Check =>
  rest === always ? isBoolean : (value, seen) => typeof value === "boolean" && rest(value, seen)
const onlyIntegers =
  (rest: Check): Check =>
  (value, seen) =>
    Number.isInteger(value) && rest(value, seen)
const onlyArrays =
  (rest: Check): Check =>
  (value, seen) =>
    Array.isArray(value) && rest(value, seen)
const onlyObjects = (rest: Check): Check =>
  rest === always
    ? isObject
    : (value, seen) => typeof value === "object" && value !== null && !Array.isArray(value) && rest(value, seen)

const ofSeveralTypes = (allowed: number, node: SchemaNode): Check => {
  const checksIf = (bits: number, kind: Kind | undefined): Check =>
    (allowed & bits) === 0 ? never : checksOn(kind, node)
  const nulls = checksIf(NULL, undefined)
  const booleans = checksIf(BOOLEAN, undefined)
  const texts = checksIf(STRING, "string")
  const integers = checksIf(INTEGER, "number")
  const fractions = checksIf(FRACTION, "number")
  const arrays = checksIf(ARRAY, "array")
  const objects = checksIf(OBJECT, "object")
  return (value, seen) => {
    switch (typeof value) {
      case "string":
        return texts(value, seen)
      case "number":
        return (Number.isInteger(value) ? integers : fractions)(value, seen)
      case "boolean":
        return booleans(value, seen)
      case "object":
        return (value === null ? nulls : Array.isArray(value) ? arrays : objects)(value, seen)
      default:
        return false
    }
  }
}
