/** What counts as JSON, judged at run time. Walks any depth without recursion and survives cycles. */
import type { JsonObject } from "../schema/Json.ts"

/**
 * Whether `value` is a plain object whose whole tree is JSON: strings, booleans, null, finite numbers, arrays and plain
 * objects. False for cycles, for class instances, and when a key anywhere is `__proto__`, `prototype` or `constructor`.
 * A part may be shared by several branches. Never throws.
 */
export const isJsonObject = (value: unknown): value is JsonObject => {
  try {
    return isPlainObject(value) && isJsonTree(value)
  } catch {
    return false // a getter or a proxy that throws is no JSON
  }
}

/**
 * Throws unless `isJsonObject(value)`: `<path> uses forbidden JSON key: <key>` when that is why, with a path such as
 * `value.items[0]`, else `<label> must be a JSON object`.
 */
export const assertJsonObject: (value: unknown, label?: string) => asserts value is JsonObject = (
  value,
  label = "value"
) => {
  if (isJsonObject(value)) return
  const found = isContainer(value) ? findForbiddenKey(value, label) : undefined
  throw new TypeError(
    found === undefined
      ? `${label} must be a JSON object`
      : `${pathOf(found.place)} uses forbidden JSON key: ${found.key}`
  )
}

/** The members of an object or list, by name. */
type Members = Readonly<Record<string, unknown>>

const isContainer = (value: unknown): value is Members => typeof value === "object" && value !== null

const isPlainObject = (value: unknown): value is Members => {
  if (!isContainer(value) || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Names that reach the prototype of every object. */
export const isForbiddenKey = (key: string): boolean =>
  (key.length === 9 || key.length === 11) && (key === "__proto__" || key === "prototype" || key === "constructor")

/** Containers of `holder` are added to `found`. False when something in it is no JSON. */
const isJsonLevel = (holder: object, found: Array<object>): boolean => {
  if (Array.isArray(holder)) {
    for (let index = 0; index < holder.length; index++) if (!isJsonMember(holder[index], found)) return false
    return true
  }
  if (!isPlainObject(holder)) return false
  for (const key of Object.getOwnPropertyNames(holder)) {
    if (isForbiddenKey(key) || !isJsonMember(holder[key], found)) return false
  }
  return true
}

const isJsonMember = (value: unknown, found: Array<object>): boolean => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true
    case "number":
      return Number.isFinite(value)
    case "object":
      if (value !== null) found.push(value)
      return true
    default:
      return false
  }
}

/**
 * Beyond this many containers a value is walked with a memory of what was met: it may have a cycle, or many shared
 * parts.
 */
const SMALL = 1_000

const isJsonTree = (root: object): boolean => {
  const pending: Array<object> = []
  let holder: object | undefined = root
  for (let walked = 0; walked < SMALL; walked++) {
    if (!isJsonLevel(holder, pending)) return false
    holder = pending.pop()
    if (holder === undefined) return true
  }
  return isJsonGraph(root)
}

/**
 * Depth first. An object that is met again while it is open is its own ancestor; one that is closed was seen to be
 * JSON.
 */
const isJsonGraph = (root: object): boolean => {
  const stack = [root]
  const isOpen = new Map<object, boolean>()
  for (let holder = stack.at(-1); holder !== undefined; holder = stack.at(-1)) {
    if (isOpen.has(holder)) {
      isOpen.set(holder, false)
      stack.pop()
      continue
    }
    isOpen.set(holder, true)
    const first = stack.length
    if (!isJsonLevel(holder, stack)) return false
    for (let index = first; index < stack.length; index++) {
      const child = stack[index]
      if (child !== undefined && isOpen.get(child) === true) return false
    }
  }
  return true
}

interface Place {
  readonly holder: Members
  readonly step: string
  readonly parent: Place | undefined
}

const pathOf = (place: Place): string => {
  const steps: Array<string> = []
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) steps.push(at.step)
  return steps.toReversed().join("")
}

/** Breadth first, so the path is a shortest one. */
const findForbiddenKey = (
  root: Members,
  label: string
): { readonly place: Place; readonly key: string } | undefined => {
  const seen = new Set<object>([root])
  const queue: Array<Place> = [{ holder: root, step: label, parent: undefined }]
  try {
    for (const place of queue) {
      const isList = Array.isArray(place.holder)
      for (const key of Object.getOwnPropertyNames(place.holder)) {
        if (isForbiddenKey(key)) return { place, key }
        const child = place.holder[key]
        if (!isContainer(child) || seen.has(child)) continue
        seen.add(child)
        queue.push({ holder: child, step: isList ? `[${key}]` : `.${key}`, parent: place })
      }
    }
  } catch {
    // What cannot be read is reported as no JSON object.
  }
  return undefined
}
