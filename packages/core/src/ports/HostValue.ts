/** What a host's callback may answer with. */
import type * as Effect from "effect/Effect"

/** A value, a Promise of it or an Effect of it: whichever suits the host. */
export type HostValue<A> = A | PromiseLike<A> | Effect.Effect<A, unknown>
