/** What a value may be at all, whatever its schema says: plain JSON, within the limits, without names that reach prototypes. */
import type { SchemaLimitValues } from "../../limits/SchemaLimits.ts"
import { isForbiddenKey } from "../../security/json.ts"
import type { Members } from "./Keyword.ts"
import { passedItems } from "./passedItems.ts"
import { charge } from "./steps.ts"

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
    charge(value.length)
    for (let index = passedItems(value); index < value.length; index++) {
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
    charge(count)
    return true
  }
  return isWithin
}

/** Why a value breaks the bounds: `<path>: <reason>`, the path as `a.b[0]`, `/` for the root. */
export const boundsFault = (value: unknown, limits: BoundsLimits): string =>
  faultAt(value, "", 0, limits) ?? "/: value must be JSON-serializable"

const faultAt = (value: unknown, path: string, depth: number, limits: BoundsLimits): string | undefined => {
  const say = (reason: string): string => `${path === "" ? "/" : path}: ${reason}`
  if (depth > limits.maxDepth) return say(`exceeds maximum depth ${limits.maxDepth}`)
  switch (typeof value) {
    case "string":
      return value.length > limits.maxStringLength
        ? say(`string exceeds maximum length ${limits.maxStringLength}`)
        : undefined
    case "number":
      return Number.isFinite(value) ? undefined : say("value must be JSON-serializable")
    case "boolean":
      return undefined
    case "object":
      if (value === null) return undefined
      if (Array.isArray(value)) return itemFault(value, path, depth, limits)
      return isPlainObject(value)
        ? memberFault(value as Members, path, depth, limits)
        : say("value must be JSON-serializable")
    default:
      return say("value must be JSON-serializable")
  }
}

const itemFault = (
  value: ReadonlyArray<unknown>,
  path: string,
  depth: number,
  limits: BoundsLimits
): string | undefined => {
  if (value.length > limits.maxArrayLength) {
    return `${path === "" ? "/" : path}: array exceeds maximum length ${limits.maxArrayLength}`
  }
  for (const [index, item] of value.entries()) {
    const fault = faultAt(item, `${path}[${index}]`, depth + 1, limits)
    if (fault !== undefined) return fault
  }
  return undefined
}

const memberFault = (value: Members, path: string, depth: number, limits: BoundsLimits): string | undefined => {
  const keys = Object.keys(value)
  if (keys.length > limits.maxProperties) {
    return `${path === "" ? "/" : path}: object exceeds maximum properties ${limits.maxProperties}`
  }
  for (const key of keys) {
    const at = path === "" ? key : `${path}.${key}`
    const fault = isForbiddenKey(key) ? `${at}: forbidden property key` : faultAt(value[key], at, depth + 1, limits)
    if (fault !== undefined) return fault
  }
  return undefined
}
