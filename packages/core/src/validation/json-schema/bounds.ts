/** What a value may be at all, whatever its schema says: plain JSON, within the limits, without names that reach prototypes. */
import type { SchemaLimitValues } from "../../limits/SchemaLimits.ts"
import { isForbiddenKey } from "../../security/json.ts"
import { boundItems } from "./passedItems.ts"
import { charge, listCost } from "./steps.ts"
import type { Members } from "./SchemaNode.ts"

export type BoundsLimits = Pick<SchemaLimitValues, "maxDepth" | "maxProperties" | "maxStringLength" | "maxArrayLength">

export const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Whether a value at `depth`, and all below it, keeps the bounds. */
export type WithinBounds = (value: unknown, depth: number) => boolean

export const withinBounds = ({
  maxDepth,
  maxProperties,
  maxStringLength,
  maxArrayLength
}: BoundsLimits): WithinBounds => {
  const isWithin: WithinBounds = (value, depth) => {
    if (depth > maxDepth) return false
    switch (typeof value) {
      case "string":
        return value.length <= maxStringLength
      case "number":
        return Number.isFinite(value)
      case "boolean":
        return true
      case "object":
        if (value === null) return true
        return Array.isArray(value) ? areItemsWithin(value, depth) : areMembersWithin(value as Members, depth)
      default:
        return false
    }
  }
  const areItemsWithin = (value: ReadonlyArray<unknown>, depth: number): boolean => {
    if (value.length > maxArrayLength) return false
    charge(1 + listCost(value.length))
    for (let index = boundItems(value); index < value.length; index++) {
      if (!isWithin(value[index], depth + 1)) return false
    }
    return true
  }
  const areMembersWithin = (value: Members, depth: number): boolean => {
    if (!isPlainObject(value)) return false
    let count = 0
    for (const key in value) {
      if (++count > maxProperties || isForbiddenKey(key) || !isWithin(value[key], depth + 1)) return false
    }
    charge(1 + (count >> 1))
    return true
  }
  return isWithin
}

/** Why a value breaks the bounds: `<path>: <reason>`, the path as `a.b[0]`, `/` for the root. */
export const boundsFault = (value: unknown, limits: BoundsLimits): string => {
  const found = faultAt(value, "", 0, limits)
  return found ?? say("", NO_JSON)
}

const NO_JSON = "value must be JSON-serializable"
const say = (path: string, reason: string): string => `${path === "" ? "/" : shortened(path)}: ${reason}`

const MAX_KEY = 60
const MAX_PATH = 1_024

/** A key that is too long to be told is described, never cut: a part of a secret would pass a redactor. */
const told = (key: string): string => (key.length > MAX_KEY ? `<${key.length} characters>` : key)

/** Cut between two keys. */
const shortened = (path: string): string => {
  if (path.length <= MAX_PATH) return path
  const start = path.slice(0, MAX_PATH)
  return `${path.slice(0, Math.max(start.lastIndexOf("."), start.lastIndexOf("[")))}…`
}

const faultAt = (value: unknown, path: string, depth: number, limits: BoundsLimits): string | undefined => {
  if (depth > limits.maxDepth) return say(path, `exceeds maximum depth ${limits.maxDepth}`)
  switch (typeof value) {
    case "string":
      return value.length > limits.maxStringLength
        ? say(path, `string exceeds maximum length ${limits.maxStringLength}`)
        : undefined
    case "number":
      return Number.isFinite(value) ? undefined : say(path, NO_JSON)
    case "boolean":
      return undefined
    case "object":
      return value === null ? undefined : containerFault(value, path, depth, limits)
    default:
      return say(path, NO_JSON)
  }
}

const containerFault = (value: object, path: string, depth: number, limits: BoundsLimits): string | undefined => {
  try {
    if (Array.isArray(value)) return itemFault(value, path, depth, limits)
    return isPlainObject(value) ? memberFault(value as Members, path, depth, limits) : say(path, NO_JSON)
  } catch {
    return say(path, NO_JSON) // a getter or a proxy that throws
  }
}

const itemFault = (
  value: ReadonlyArray<unknown>,
  path: string,
  depth: number,
  limits: BoundsLimits
): string | undefined => {
  if (value.length > limits.maxArrayLength) return say(path, `array exceeds maximum length ${limits.maxArrayLength}`)
  for (let index = 0; index < value.length; index++) {
    const fault = faultAt(value[index], `${path}[${index}]`, depth + 1, limits)
    if (fault !== undefined) return fault
  }
  return undefined
}

const memberFault = (value: Members, path: string, depth: number, limits: BoundsLimits): string | undefined => {
  const keys = Object.keys(value)
  if (keys.length > limits.maxProperties) {
    return say(path, `object exceeds maximum properties ${limits.maxProperties}`)
  }
  for (const key of keys) {
    const at = path === "" ? told(key) : `${path}.${told(key)}`
    const fault = isForbiddenKey(key) ? say(at, "forbidden property key") : faultAt(value[key], at, depth + 1, limits)
    if (fault !== undefined) return fault
  }
  return undefined
}
