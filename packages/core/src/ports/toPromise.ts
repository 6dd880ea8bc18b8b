/** The one bridge back from Effects to Promises. */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** A typed failure rejects as itself, a defect as what was thrown. */
export const toPromise = <A, E>(
  run: (effect: Effect.Effect<A, E>) => Promise<Exit.Exit<A, E>>,
  effect: Effect.Effect<A, E>
): Promise<A> =>
  run(effect).then((exit) => {
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  })
