/** Counts the walks over the positions of a pattern: what a backtracking engine does when all of them fail in the end. */
import { exitTimes } from "./ambiguity.ts"
import type { Concurrency } from "./concurrency.ts"
import { addCost, type Cost, costAt, degreeOf, unbounded } from "./Cost.ts"
import type { Effort, Position } from "./positions.ts"

/** `c` times the length of the subject to the power of `d`. */
interface Term {
  readonly c: number
  readonly d: number
}
const none: Term = { c: 0, d: 0 }
const one: Term = { c: 1, d: 0 }
const sum = (a: Term, b: Term, times: number): Term => ({ c: a.c + times * b.c, d: Math.max(a.d, b.d) })

/** Bounds of the same are compared for a subject of this length. */
const USUAL_LENGTH = 64
/** The platform looks a character up in the tables of Unicode, which takes as long as this many tries. */
const PROPERTY_TRIES = 8

const least = (a: Term, b: Term): Term => (a.c * USUAL_LENGTH ** a.d <= b.c * USUAL_LENGTH ** b.d ? a : b)

/**
 * How many walks there may be in all of `from` at one time, as it is `counts` in each: not all can be occupied together. Of
 * those that are, one has the fewest others, so that it is enough to add to each position those others that have more.
 */
const together = (
  from: ReadonlyArray<readonly [number, number]>,
  counts: ReadonlyArray<Term>,
  { others }: Concurrency,
  effort: Effort
): Term => {
  effort.left -= (from.length * from.length) / 4
  const rank = (p: number): number => (others[p]?.size ?? 0) * others.length + p
  let c = 0
  let d = 0
  for (const [x, times] of from) {
    let all = sum(none, counts[x] ?? none, times)
    for (const [y, timesY] of from) {
      if (others[x]?.has(y) === true && rank(y) > rank(x)) all = sum(all, counts[y] ?? none, timesY)
    }
    c = Math.max(c, all.c)
    d = Math.max(d, all.d)
  }
  return { c, d }
}

const triesOf = ({ times, to }: Position, positions: ReadonlyArray<Position>): number =>
  to.reduce(
    (tries, target, i) => tries + (times[i] ?? 0) * (positions[target]?.set.native === undefined ? 1 : PROPERTY_TRIES),
    1
  )

/**
 * `passing` counts the walks that may have gone through a position and be alive at one time, wherever they are then; `atOnce`
 * those that may be in it at one time; `steps` those that reach it over the whole text. A walk is told by when it left each
 * loop it has passed, since inside a loop the text decides on it: so a loop multiplies `passing` by the number of such
 * times for one text. With `concurrency` the bounds are better, and take longer.
 */
export const costOfWalks = (positions: ReadonlyArray<Position>, effort: Effort, concurrency?: Concurrency): Cost => {
  const total: Array<number> = []
  const passing = positions.map(() => none)
  const steps = positions.map(() => none)
  const atOnce = positions.map(() => none)
  const before = positions.map((): Array<readonly [number, number]> => [])
  /** More than one walk may lead to the position. */
  const isAmbiguous = positions.map((_, p) => concurrency === undefined || concurrency.meets[p] === true)
  const isBehindLoop = positions.map(() => false)
  passing[0] = one
  steps[0] = one
  let p = 0
  while (p < positions.length) {
    const loop = positions[p]?.loop ?? -1
    let end = p + 1
    let leaving = none
    if (loop >= 0) {
      while (positions[end]?.loop === loop) end++
      const times = exitTimes(positions, p, end, effort)
      if (times === undefined) return unbounded
      let entering = none
      let ambiguous = false
      for (let q = p; q < end; q++) {
        leaving = sum(leaving, passing[q] ?? none, 1)
        entering = sum(entering, steps[q] ?? none, 1)
        if (isAmbiguous[q] === true) ambiguous = true
      }
      leaving = least(leaving, entering)
      for (let q = p; q < end; q++) {
        isAmbiguous[q] = ambiguous
        isBehindLoop[q] = true
        passing[q] = leaving
        atOnce[q] = ambiguous ? leaving : one
        steps[q] = { c: atOnce[q]?.c ?? 0, d: (atOnce[q]?.d ?? 0) + 1 }
      }
      leaving = times === Infinity ? { c: leaving.c, d: leaving.d + 1 } : { c: leaving.c * times, d: leaving.d }
    } else {
      const ways = before[p] ?? []
      if (concurrency !== undefined && ways.length > 0) {
        const now = isAmbiguous[p] === true ? together(ways, atOnce, concurrency, effort) : one
        atOnce[p] = now
        // Without a loop before, the walks to a position are no longer than the positions before it.
        const times = isBehindLoop[p] === true ? { c: now.c, d: now.d + 1 } : { c: now.c * (p + 1), d: now.d }
        steps[p] = least(steps[p] ?? none, times)
        passing[p] = least(passing[p] ?? none, steps[p] ?? none)
        let isPassedAtOneTime = true
        for (const other of concurrency.others[p] ?? []) if (other < p) isPassedAtOneTime = false
        if (isPassedAtOneTime) passing[p] = least(passing[p] ?? none, now)
      } else {
        atOnce[p] = passing[p] ?? none
      }
      leaving = passing[p] ?? none
    }
    if (effort.left < 0) return unbounded
    for (let q = p; q < end; q++) {
      const position = positions[q]
      if (position === undefined) continue
      const taken = steps[q] ?? none
      addCost(total, position.work, taken.c, taken.d)
      addCost(total, [triesOf(position, positions)], taken.c, taken.d)
      for (let i = 0; i < position.to.length; i++) {
        const target = position.to[i] ?? 0
        if (target < end) continue
        const times = position.times[i] ?? 0
        passing[target] = sum(passing[target] ?? none, leaving, times)
        steps[target] = sum(steps[target] ?? none, taken, times)
        if (isAmbiguous[q] === true) isAmbiguous[target] = true
        if (isBehindLoop[q] === true) isBehindLoop[target] = true
        if (concurrency !== undefined) before[target]?.push([q, times])
      }
    }
    p = end
  }
  if (concurrency === undefined) return total
  // At one time only positions that go together are occupied, so that their sum bounds what each character costs.
  const each = positions.map((position, q): Term => {
    const now = atOnce[q] ?? none
    return { c: now.c * (triesOf(position, positions) + (position.work[0] ?? 0)), d: now.d + degreeOf(position.work) }
  })
  const all = together(
    positions.map((_, q) => [q, 1]),
    each,
    concurrency,
    effort
  )
  const byCharacter = [...Array<number>(all.d + 1).fill(0), all.c]
  return costAt(byCharacter, USUAL_LENGTH) < costAt(total, USUAL_LENGTH) ? byCharacter : total
}
