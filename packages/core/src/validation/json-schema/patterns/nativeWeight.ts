/**
 * How long the platform takes to compile a pattern, which it does when the pattern is first used, and again for the first
 * subject beyond Latin-1. Measured on V8: the time grows with the square of the places where a match may go on in more than
 * one way, and exponentially with the sets beyond 0xFFFF, each of which is such a place to V8, that stand behind each other.
 */
import type { CharacterSet } from "./CharacterSet.ts"
import type { PatternNode } from "./PatternNode.ts"

/** Up to this many copies of the body of a counted repetition are written out by V8. */
const UNROLLED = 3
/** In steps. */
const MAX_WEIGHT = 400_000
/** What compiles in some milliseconds, where a simple set such as `.` counts as 1. */
const MAX_ASTRAL = 10
const MANY_RANGES = 4
/** `(?:\b)+` some twenty times makes V8 end the process for want of memory, while it compiles. */
const MAX_BOUNDARIES = 4

interface Parts {
  readonly sets: number
  readonly astral: number
  readonly boundaries: number
  readonly branches: number
}

const astralOf = ({ high, native }: CharacterSet): number => {
  if (native !== undefined) return MANY_RANGES
  let ranges = 0
  for (let i = 1; i < high.length; i += 2) if ((high[i] ?? 0) > 0xffff) ranges++
  return Math.min(ranges, MANY_RANGES)
}

const times = (parts: Parts, by: number, branches: number): Parts => ({
  sets: parts.sets * by,
  astral: parts.astral * by,
  boundaries: parts.boundaries * by,
  branches: parts.branches * by + branches
})

const partsOf = (node: PatternNode): Parts => {
  switch (node.type) {
    case "set":
      return { sets: 1, astral: astralOf(node.set), boundaries: 0, branches: 0 }
    case "sequence":
    case "choice": {
      const own = {
        sets: 0,
        astral: 0,
        boundaries: 0,
        branches: node.type === "choice" ? 1 + node.items.length / 8 : 0
      }
      return node.items.map(partsOf).reduce(
        (a, b) => ({
          sets: a.sets + b.sets,
          astral: a.astral + b.astral,
          boundaries: a.boundaries + b.boundaries,
          branches: a.branches + b.branches
        }),
        own
      )
    }
    case "group":
      return times(partsOf(node.body), 1, 0.5)
    case "look":
      return times(partsOf(node.body), 1, 1)
    case "repeat": {
      const { max, min } = node
      if (max <= UNROLLED) return times(partsOf(node.body), max, max - min)
      return times(partsOf(node.body), min > 1 && min <= UNROLLED ? min + 1 : 1, 1)
    }
    case "edge": {
      const isBoundary = node.edge === "boundary" || node.edge === "inside"
      return { sets: 0, astral: 0, boundaries: isBoundary ? 1 : 0, branches: isBoundary ? 4 : 0 }
    }
    default:
      return { sets: 1, astral: 0, boundaries: 0, branches: 1 }
  }
}

/** In steps. `Infinity` where it would take too long to be tried; without `unicode` no set is beyond 0xFFFF. */
export const nativeWeight = (node: PatternNode, unicode: boolean): number => {
  const { astral, boundaries, branches, sets } = partsOf(node)
  if (boundaries > MAX_BOUNDARIES || (unicode && astral > MAX_ASTRAL)) return Infinity
  const weight = 100 * sets + 2_000 * branches + 20 * branches * branches + (unicode ? 5_000 * astral : 0)
  return weight > MAX_WEIGHT ? Infinity : Math.round(weight)
}
