/** The errors of one validation, collected up to a bound. */
import { charge } from "./steps.ts"
/** Where in the instance: the cell of the root has no parent. Becomes a JSON Pointer only when an error is made. */
export interface Place {
  readonly parent: Place | undefined
  readonly key: string | number
}

export const root: Place = { parent: undefined, key: "" }

/** One segment of a JSON Pointer (RFC 6901 §3). */
export const escapeSegment = (key: string | number): string => {
  if (typeof key === "number") return String(key)
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key
}

/** A pointer that grows longer than this many characters ends in `…` after a whole segment. */
const MAX_POINTER = 1_024

/** The JSON Pointer of a place; empty for the root. */
export const pointerOf = (place: Place): string => {
  if (place.parent === undefined) return ""
  const before = pointerOf(place.parent)
  if (before.endsWith("…")) return before
  const segment = escapeSegment(place.key)
  return before.length + segment.length < MAX_POINTER ? `${before}/${segment}` : `${before}/…`
}

/** The keys from the root down to a place. */
export const pathOf = (place: Place): ReadonlyArray<string | number> => {
  const keys: Array<string | number> = []
  for (let cell = place; cell.parent !== undefined; cell = cell.parent) keys.push(cell.key)
  return keys.toReversed()
}

/** One thing that is wrong. */
export interface Problem {
  readonly at: Place
  readonly message: string
}

export class Report {
  readonly problems: Array<Problem> = []
  /** Whether only their number is asked for. */
  readonly isCount: boolean
  readonly #max: number

  constructor(max: number, isCount = false) {
    this.#max = max
    this.isCount = isCount
  }

  get isFull(): boolean {
    return this.problems.length >= this.#max
  }

  /** Later problems than the bound admits are dropped. */
  add(at: Place, message: string | (() => string)): void {
    if (this.isFull) return
    charge(32)
    // What is only counted needs no words.
    const text = typeof message === "string" ? message : this.isCount ? "" : message()
    this.problems.push({ at, message: text })
  }
}
