/** Values of tools and hosts as stores and providers can write them. */
import { RedactionLimits } from "../limits/RedactionLimits.ts"
import { isJsonObject } from "../security/json.ts"
import { redactValue } from "../security/redactValue.ts"

/**
 * The value itself if it can be written as JSON. Else a copy that can: a reference to an ancestor becomes `[Circular]`,
 * what is nested too deep to be written `[MaxDepth]`, what throws when it is read `[Unreadable]`. Nothing when there is no
 * such form, as for a `bigint`.
 */
export const toWritable = (value: unknown): unknown => {
  if (isWritable(value)) return value
  const copy = redactValue(value, unchanged)
  return isWritable(copy) ? copy : undefined
}

const unchanged = (text: string): string => text

const isWritable = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint"
  try {
    if (isSmallJson(value, { left: SMALL }, 0)) return true
    if (isJsonObject(Array.isArray(value) ? { value } : value)) return isShallow(value)
    // Dates, maps, functions and the like: no JSON themselves, but written as something.
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

/** Nearly every value is no larger: one quick walk, without a memory of what was met, settles it. */
const SMALL = 500
const SMALL_DEPTH = 32

const isSmallJson = (value: unknown, budget: { left: number }, depth: number): boolean => {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint" && typeof value !== "function"
  budget.left -= 1
  if (budget.left < 0 || depth > SMALL_DEPTH) return false
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) if (!isSmallJson(value[at], budget, depth + 1)) return false
    return true
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  // A plain object's own fields, whatever they are.
  const fields = value as Record<string, unknown>
  for (const key in fields) if (!isSmallJson(fields[key], budget, depth + 1)) return false
  return true
}

/** Engines write JSON by recursion, and fail on what is nested some thousand levels deep. */
const isShallow = (value: object): boolean => {
  const { maxDepth } = RedactionLimits.table
  // Sets: what is shared by many is looked at once.
  let level: ReadonlySet<object> = new Set([value])
  for (let depth = 1; level.size > 0; depth += 1) {
    if (depth > maxDepth.hardCap) return false
    const next = new Set<object>()
    for (const holder of level) {
      for (const member of Object.values(holder)) {
        if (typeof member === "object" && member !== null) next.add(member)
      }
    }
    level = next
  }
  return true
}
