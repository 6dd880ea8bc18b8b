/** Which positions walks over one text may be in at the same time. */
import { overlap } from "./CharacterSet.ts"
import type { Effort, Position } from "./positions.ts"

export interface Concurrency {
  /** For each position, the others in which another walk may be meanwhile. */
  readonly others: ReadonlyArray<ReadonlySet<number>>
  /** For each position, whether walks that have parted may meet there. Where none lead to it, a text has one walk to it. */
  readonly meets: ReadonlyArray<boolean>
}

/** `undefined` where there is too much to look at. */
export const concurrencyOf = (positions: ReadonlyArray<Position>, effort: Effort): Concurrency | undefined => {
  const others = positions.map(() => new Set<number>())
  const meets = positions.map(() => false)
  const pending: Array<readonly [number, number]> = positions.map((_, p) => [p, p])
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [x, y] = pair
    const from = positions[x]
    const also = positions[y]
    if (from === undefined || also === undefined) continue
    for (let i = 0; i < from.to.length; i++) {
      const a: number = from.to[i] ?? 0
      const setA = positions[a]?.set
      if (x === y && (from.times[i] ?? 0) > 1) meets[a] = true
      for (let j: number = x === y ? i + 1 : 0; j < also.to.length; j++) {
        const b: number = also.to[j] ?? 0
        const setB = positions[b]?.set
        effort.left--
        if (setA === undefined || setB === undefined || !overlap(setA, setB)) continue
        if (a === b) {
          meets[a] = true
        } else if (others[a]?.has(b) === false) {
          others[a]?.add(b)
          others[b]?.add(a)
          pending.push([a, b])
        }
      }
    }
    if (effort.left < 0) return undefined
  }
  return { others, meets }
}
