/** Values of tools and hosts as stores and providers can write them. */
import { RedactionLimits } from "../limits/RedactionLimits.ts"
import { isJsonObject } from "../security/json.ts"
import { redactValue } from "../security/redactValue.ts"

/** Absent when there is no such form, as for a `bigint`. */
export interface Writable {
  readonly value: unknown
}

/**
 * The value itself if it can be written as JSON. Else a copy that can: a reference to an ancestor becomes `[Circular]`,
 * what is nested too deep to be written `[MaxDepth]`, what throws when it is read `[Unreadable]`.
 */
export const toWritable = (value: unknown): Writable | undefined => {
  if (isWritable(value)) return { value }
  const copy = redactValue(value, unchanged)
  return isWritable(copy) ? { value: copy } : undefined
}

const unchanged = (text: string): string => text

const isWritable = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint"
  if (isJsonObject(Array.isArray(value) ? { value } : value)) return isShallow(value)
  // Dates, maps, absent fields and the like: no JSON themselves, but written as something.
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
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
