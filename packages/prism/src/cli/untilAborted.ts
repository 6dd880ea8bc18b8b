/** Waiting that a signal ends. */
import * as Effect from "effect/Effect"
import { CliFailure } from "./CliFailure.ts"

/** Fails, and interrupts the effect, as soon as the signal aborts: for what would wait for a person or a host for ever. */
export const untilAborted = <A, E>(
  effect: Effect.Effect<A, E>,
  signal: AbortSignal | undefined,
  message = "Aborted"
): Effect.Effect<A, E | CliFailure> =>
  signal === undefined ? effect : Effect.raceFirst(abortOf(signal, message), effect)

const abortOf = (signal: AbortSignal, message: string): Effect.Effect<never, CliFailure> =>
  Effect.callback((resume) => {
    const onAbort = (): void => resume(Effect.fail(new CliFailure({ message })))
    if (signal.aborted) return onAbort()
    signal.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", onAbort))
  })
