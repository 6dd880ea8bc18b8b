/** An upper bound of what the platform's backtracking engine does with a pattern, whatever the subject. */
import { concurrencyOf } from "./concurrency.ts"
import { type Cost, degreeOf, unbounded } from "./Cost.ts"
import { type PatternNode, startsAtStart, withoutGroup } from "./PatternNode.ts"
import type { ParsedPattern } from "./parsePattern.ts"
import { type Effort, type Position, positionsOf } from "./positions.ts"
import { costOfWalks } from "./walks.ts"

/** Costs of a higher degree allow for no subject that is worth it. */
const MAX_DEGREE = 8

/** Some milliseconds. What takes more to look at is taken to have no bound. */
const MAX_EFFORT = 40_000
/** A pattern of up to this many positions is looked at more closely where the first look finds it costly. */
const MAX_COMPARED = 400

/** Linear, and little enough for each character and for the pattern that the platform may take any subject. */
export const isSmall = (cost: Cost): boolean => degreeOf(cost) < 2 && (cost[0] ?? 0) <= 8_192 && (cost[1] ?? 0) <= 128

/** Leaves off what a pattern may take at its end without need: once there it has matched, and goes on at most once. */
const withoutTail = (node: PatternNode): PatternNode => {
  switch (node.type) {
    case "repeat":
      return withoutGroup(node.body).type === "set" && node.max !== node.min ? { ...node, max: node.min } : node
    case "group":
      return { ...node, body: withoutTail(node.body) }
    case "choice":
      return { ...node, items: node.items.map(withoutTail) }
    case "sequence": {
      const last = node.items.at(-1)
      return last === undefined ? node : { ...node, items: [...node.items.slice(0, -1), withoutTail(last)] }
    }
    default:
      return node
  }
}

const costOf = (positions: ReadonlyArray<Position>, effort: Effort): Cost => {
  const rough = costOfWalks(positions, effort)
  if (rough === unbounded || isSmall(rough)) return rough
  const concurrency = positions.length <= MAX_COMPARED ? concurrencyOf(positions, effort) : undefined
  const close = concurrency === undefined ? unbounded : costOfWalks(positions, effort, concurrency)
  return close === unbounded ? rough : close
}

/**
 * The cost of `regexp.test` on a subject of `n - 1` characters, in tries to take a character: a polynomial of `n`, `unbounded`
 * where the tries may be exponential. It may be too high, never too low: it counts every way in which the pattern may
 * take a beginning of the subject, from everywhere, as if each one failed in the end, and each lookaround anew.
 */
export const patternCost = ({ groups, node }: ParsedPattern): Cost => {
  const looks = new Map<PatternNode, Cost>()
  const effort: Effort = { left: MAX_EFFORT }
  const costFrom = (root: PatternNode, backward: boolean, anchored: boolean): Cost => {
    if (effort.left < 0) return unbounded
    const trimmed = backward ? root : withoutTail(root)
    const positions = positionsOf(trimmed, {
      groups,
      backward,
      anchored,
      costOfLook,
      effort
    })
    if (positions === undefined) return unbounded
    const cost = costOf(positions, effort)
    if (cost === unbounded || degreeOf(cost) > MAX_DEGREE) return unbounded
    return trimmed === root ? cost : [...cost.slice(0, 1), (cost[1] ?? 0) + 1, ...cost.slice(2)]
  }
  // Once for each: repetitions that are written out ask again.
  const costOfLook = (body: PatternNode, behind: boolean): Cost => {
    const cost = looks.get(body) ?? costFrom(body, behind, true)
    looks.set(body, cost)
    return cost
  }
  return costFrom(node, false, startsAtStart(node))
}
