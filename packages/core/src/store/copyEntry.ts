/** Copies of entries, made where a host hands one in or reads one out. */
import type { SessionEntry } from "../records/SessionEntry.ts"

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Dates, maps, bytes and instances. What the platform cannot clone has behaviour and is no data: it is shared. */
const copyOther = (value: object): unknown => {
  try {
    return structuredClone(value)
  } catch {
    return value
  }
}

const setOwn = (to: object, key: string, value: unknown): void => {
  if (key === "__proto__") {
    Object.defineProperty(to, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    // Any key but the one above is an ordinary property of a fresh plain object.
    ;(to as Record<string, unknown>)[key] = value
  }
}

const copyValue = (value: unknown, seen: Map<object, unknown>): unknown => {
  if (typeof value !== "object" || value === null) return value
  const known = seen.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const items: Array<unknown> = []
    seen.set(value, items)
    for (const item of value) items.push(copyValue(item, seen))
    return items
  }
  if (!isPlain(value)) {
    const copy = copyOther(value)
    seen.set(value, copy)
    return copy
  }
  const fields: object = Object.getPrototypeOf(value) === null ? Object.create(null) : {}
  seen.set(value, fields)
  for (const [key, field] of Object.entries(value)) setOwn(fields, key, copyValue(field, seen))
  return fields
}

/** A deep copy. Cycles are kept, functions and objects with private behaviour are shared. */
export const copyEntry = (entry: SessionEntry): SessionEntry =>
  // A copy has the shape of what it was made from.
  copyValue(entry, new Map()) as SessionEntry

/** `copyEntry` for each. */
export const copyEntries = (entries: ReadonlyArray<SessionEntry>): Array<SessionEntry> => entries.map(copyEntry)
