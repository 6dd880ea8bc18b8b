/** What a value may be at all, whatever its schema says: plain JSON, within the limits, without names that reach prototypes. */
import type { SchemaLimitValues } from "../../limits/SchemaLimits.ts"
import { isForbiddenKey } from "../../security/json.ts"
import { boundItems } from "./passedItems.ts"
import { type Place, pathOf, root } from "./Report.ts"
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
    if (value.length > maxArrayLength || (depth >= maxDepth && value.length > 0)) return false
    charge(1 + listCost(value.length))
    for (let index = boundItems(value, depth); index < value.length; index++) {
      const item = value[index]
      if (typeof item === "string" ? item.length > maxStringLength : !isWithin(item, depth + 1)) return false
    }
    return true
  }
  const areMembersWithin = (value: Members, depth: number): boolean => {
    if (!isPlainObject(value)) return false
    let count = 0
    for (const key in value) {
      if (++count > maxProperties || isForbiddenKey(key)) return false
      const member = value[key]
      if (typeof member === "string" ? member.length > maxStringLength : !isWithin(member, depth + 1)) return false
    }
    if (depth >= maxDepth && count > 0) return false
    charge(1 + (count >> 1))
    return true
  }
  return isWithin
}

/** Why a value breaks the bounds: `<path>: <reason>`, the path as `a.b[0]`, `/` for the root. */
export const boundsFault = (value: unknown, limits: BoundsLimits): string =>
  faultAt(value, root, 0, limits) ?? say(root, NO_JSON)

const NO_JSON = "value must be JSON-serializable"
const MAX_KEY = 60
const MAX_PATH = 1_024

const say = (at: Place, reason: string): string => {
  let path = ""
  for (const key of pathOf(at)) {
    const segment = typeof key === "number" ? `[${key}]` : `${path === "" ? "" : "."}${told(key)}`
    if (path.length + segment.length > MAX_PATH) {
      path += "…"
      break
    }
    path += segment
  }
  return `${path === "" ? "/" : path}: ${reason}`
}

/** A key that is too long to be told is described, never cut: a part of a secret would pass a redactor. */
const told = (key: string): string => (key.length > MAX_KEY ? `<${key.length} characters>` : key)

const faultAt = (value: unknown, at: Place, depth: number, limits: BoundsLimits): string | undefined => {
  if (depth > limits.maxDepth) return say(at, `exceeds maximum depth ${limits.maxDepth}`)
  switch (typeof value) {
    case "string":
      return value.length > limits.maxStringLength
        ? say(at, `string exceeds maximum length ${limits.maxStringLength}`)
        : undefined
    case "number":
      return Number.isFinite(value) ? undefined : say(at, NO_JSON)
    case "boolean":
      return undefined
    case "object":
      return value === null ? undefined : containerFault(value, at, depth, limits)
    default:
      return say(at, NO_JSON)
  }
}

const containerFault = (value: object, at: Place, depth: number, limits: BoundsLimits): string | undefined => {
  try {
    if (Array.isArray(value)) return itemFault(value, at, depth, limits)
    return isPlainObject(value) ? memberFault(value as Members, at, depth, limits) : say(at, NO_JSON)
  } catch {
    return say(at, NO_JSON) // a getter or a proxy that throws
  }
}

const itemFault = (
  value: ReadonlyArray<unknown>,
  at: Place,
  depth: number,
  limits: BoundsLimits
): string | undefined => {
  if (value.length > limits.maxArrayLength) return say(at, `array exceeds maximum length ${limits.maxArrayLength}`)
  for (let index = 0; index < value.length; index++) {
    const fault = faultAt(value[index], { parent: at, key: index }, depth + 1, limits)
    if (fault !== undefined) return fault
  }
  return undefined
}

const memberFault = (value: Members, at: Place, depth: number, limits: BoundsLimits): string | undefined => {
  const keys = Object.keys(value)
  if (keys.length > limits.maxProperties) return say(at, `object exceeds maximum properties ${limits.maxProperties}`)
  for (const key of keys) {
    const place = { parent: at, key }
    const fault = isForbiddenKey(key)
      ? say(place, "forbidden property key")
      : faultAt(value[key], place, depth + 1, limits)
    if (fault !== undefined) return fault
  }
  return undefined
}
