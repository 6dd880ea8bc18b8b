/** What is done for the same object comes one after the other. */
import { untilAborted } from "../transports/untilAborted.ts"

const last = new WeakMap<object, Promise<unknown>>()

/** Runs after whatever came before it for `owner` has settled. Rejects with the signal's reason, and never runs, where that aborts first. */
export const inTurn = <A>(owner: object, signal: AbortSignal, run: () => Promise<A>): Promise<A> => {
  const before = last.get(owner) ?? Promise.resolve()
  const mine = untilAborted(before, signal).then(run)
  // Whoever gave up leaves its place, and passes nobody.
  last.set(owner, Promise.allSettled([before, mine]))
  return mine
}
