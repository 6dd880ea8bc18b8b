/** How many walks over the positions of a loop one text may have. */
import { overlap } from "./CharacterSet.ts"
import type { Effort, Position } from "./positions.ts"

const MAX_DEPTH = 400

/**
 * Follows two walks over the same text that part inside the loop of the positions from `from` to `to` (exclusive). The
 * result is at how many different times a walk may leave the loop for one and the same text: `Infinity` stands for any time.
 * It is `undefined` where two walks can part and meet again inside the loop: then every round may double them, and their
 * number is exponential. Without that, the text decides on the one walk between two positions of the loop.
 */
export const exitTimes = (
  positions: ReadonlyArray<Position>,
  from: number,
  to: number,
  effort: Effort
): number | undefined => {
  const size = positions.length
  const isInside = (p: number): boolean => p >= from && p < to
  const inside = new Set<number>()
  const pending: Array<number> = []
  /** One walk is still inside, the other has left. */
  const outside = new Set<number>()
  let meets = false

  const noteInside = (x: number, y: number): void => {
    const pair = x < y ? x * size + y : y * size + x
    if (inside.has(pair)) return
    inside.add(pair)
    pending.push(pair)
  }

  /** Both go on by the same character. */
  const goOn = (x: Position, y: Position): void => {
    for (let i = 0; i < x.to.length; i++) {
      const a = x.to[i] ?? 0
      const isInsideA = isInside(a)
      if (x === y && isInsideA && (x.times[i] ?? 0) > 1) meets = true
      for (let j = x === y ? i + 1 : 0; j < y.to.length; j++) {
        const b = y.to[j] ?? 0
        const isInsideB = isInside(b)
        if (!isInsideA && !isInsideB) continue
        effort.left--
        const setA = positions[a]?.set
        const setB = positions[b]?.set
        if (setA === undefined || setB === undefined || !overlap(setA, setB)) continue
        if (a === b) meets = true
        else if (isInsideA && isInsideB) noteInside(a, b)
        else outside.add(isInsideA ? a * size + b : b * size + a)
      }
    }
  }

  for (let p = from; p < to; p++) {
    const position = positions[p]
    if (position !== undefined) goOn(position, position)
  }
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const x = positions[Math.floor(pair / size)]
    const y = positions[pair % size]
    if (x !== undefined && y !== undefined) goOn(x, y)
    if (meets || effort.left < 0) return undefined
  }
  if (meets) return undefined

  /** How long the two can go on so; 0 stands for a pair that is being followed, to which a way back is a circle. */
  const lengths = new Map<number, number>()
  const lengthFrom = (pair: number, depth: number): number => {
    const known = lengths.get(pair)
    if (known !== undefined) return known === 0 ? Infinity : known
    if (depth > MAX_DEPTH || effort.left < 0) return Infinity
    lengths.set(pair, 0)
    const x = positions[Math.floor(pair / size)]
    const y = positions[pair % size]
    let longest = 1
    for (const a of x?.to ?? []) {
      if (!isInside(a)) continue
      for (const b of y?.to ?? []) {
        effort.left--
        const setA = positions[a]?.set
        const setB = positions[b]?.set
        if (setA === undefined || setB === undefined || !overlap(setA, setB)) continue
        longest = Math.max(longest, 1 + lengthFrom(a * size + b, depth + 1))
        if (longest === Infinity) return Infinity
      }
    }
    lengths.set(pair, longest)
    return longest
  }
  let times = 1
  for (const pair of outside) {
    times = Math.max(times, 1 + lengthFrom(pair, 0))
    if (times === Infinity) break
  }
  return times
}
