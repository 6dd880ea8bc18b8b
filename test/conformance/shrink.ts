/** Makes a failing case small enough to read. */
import { isList, isMembers, type Json } from "./judgeByTheBook.ts"

const MAX_TRIES = 3_000

/** A smaller document for which `holds` still holds: members and items are left out, and parts put in their parent's place. */
export const shrink = (document: Json, holds: (smaller: Json) => boolean): Json => {
  let current = document
  let tries = 0
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const candidate of smallerThan(current)) {
      if (++tries > MAX_TRIES) return current
      if (!isHolding(holds, candidate)) continue
      current = candidate
      isSmaller = true
      break
    }
  }
  return current
}

/** A candidate may be no schema at all. */
const isHolding = (holds: (smaller: Json) => boolean, candidate: Json): boolean => {
  try {
    return holds(candidate)
  } catch {
    return false
  }
}

function* smallerThan(value: Json): Generator<Json> {
  if (isList(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1)
    for (const [index, item] of value.entries()) {
      for (const smaller of smallerThan(item)) yield value.with(index, smaller)
    }
  } else if (isMembers(value)) {
    const entries = Object.entries(value)
    for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name))
    for (const [, inner] of entries) if (typeof inner === "object" && inner !== null) yield inner
    for (const [name, inner] of entries) {
      for (const smaller of smallerThan(inner)) yield { ...value, [name]: smaller }
    }
  }
}
