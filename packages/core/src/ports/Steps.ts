/**
 * Kernel code that may have to wait for a host. A stage is a generator that yields only what really is pending, so a call
 * whose host answers at once makes neither a Promise nor an Effect operation.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type { HostValue } from "./HostValue.ts"

/** Yields Promises and Effects, is resumed with what they come to, and returns `A`. */
export type Steps<A> = Generator<unknown, A, unknown>

/** Whose steps these are: it runs their Effects and may stop them. */
export interface Driver {
  /** Once true it stays so: steps that wait are closed instead of resumed. */
  readonly stopped: boolean
  readonly stopReason: unknown
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
}

/** Drives steps that nobody stops, such as those of a lone documented function. */
export const unstoppable: Driver = { stopped: false, stopReason: undefined, fork: (effect) => Effect.runFork(effect) }

const isThenable = (value: object): value is PromiseLike<unknown> => "then" in value && typeof value.then === "function"

/** Errors are values here, although tagged ones are Effects as well. */
export const isPending = (value: unknown): value is PromiseLike<unknown> | Effect.Effect<unknown, unknown> =>
  typeof value === "object" &&
  value !== null &&
  (isThenable(value) || (Effect.isEffect(value) && !(value instanceof Error)))

/** The host's answer. What it rejects or fails with is thrown here. */
export function* waitFor<A>(answer: HostValue<A>): Steps<A> {
  // `isPending` says that the rest of the union is `A` itself; the types of Promise and Effect cannot.
  return (isPending(answer) ? yield answer : answer) as A
}

/** Runs steps to their end: at once if nothing is pending, else as a Promise. A stopped driver rejects with its reason. */
export const drive = <A>(steps: Steps<A>, driver: Driver): A | Promise<A> => {
  if (driver.stopped) throw driver.stopReason
  const first = steps.next()
  if (first.done === true) return first.value
  // effect-disable: the one place where waiting becomes a Promise; see `Steps`.
  return new Promise<A>((resolve, reject) => new Drive(steps, driver, resolve, reject).waitOn(first.value))
}

/** `drive` for a documented function that always answers with a Promise. */
export const drivePromise = <A>(steps: Steps<A>, driver: Driver): Promise<A> => {
  try {
    return Promise.resolve(drive(steps, driver))
  } catch (error) {
    return Promise.reject(error)
  }
}

/** Steps in the caller's own fiber: what they wait for is interrupted with it. Fails with whatever they throw. */
export const fromSteps = <A>(make: () => Steps<A>): Effect.Effect<A, unknown> =>
  Effect.suspend(() => {
    const steps = make()
    return follow(steps, () => steps.next())
  })

const follow = <A>(steps: Steps<A>, advance: () => IteratorResult<unknown, A>): Effect.Effect<A, unknown> => {
  let step: IteratorResult<unknown, A>
  try {
    step = advance()
  } catch (error) {
    return Effect.fail(error)
  }
  if (step.done === true) return Effect.succeed(step.value)
  return Effect.matchCauseEffect(asEffect(step.value), {
    onSuccess: (value) => follow(steps, () => steps.next(value)),
    onFailure: (cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : follow(steps, () => steps.throw(Cause.squash(cause)))
  })
}

/** What steps yield: an Effect of the host, which has no requirements left, or a Promise. */
const asEffect = (pending: unknown): Effect.Effect<unknown, unknown> =>
  Effect.isEffect(pending)
    ? (pending as Effect.Effect<unknown, unknown>)
    : Effect.tryPromise({ try: () => pending as Promise<unknown>, catch: (error) => error })

class Drive<A> {
  readonly #steps: Steps<A>
  readonly #driver: Driver
  readonly #resolve: (value: A) => void
  readonly #reject: (reason: unknown) => void

  constructor(steps: Steps<A>, driver: Driver, resolve: (value: A) => void, reject: (reason: unknown) => void) {
    this.#steps = steps
    this.#driver = driver
    this.#resolve = resolve
    this.#reject = reject
  }

  waitOn(pending: unknown): void {
    if (pending instanceof Promise) pending.then(this.#succeed, this.#fail)
    else if (Effect.isEffect(pending)) {
      // A host's Effect has no requirements left: `HostValue` says so.
      this.#driver.fork(pending as Effect.Effect<unknown, unknown>).addObserver((exit) => {
        if (Exit.isSuccess(exit)) this.#succeed(exit.value)
        else this.#fail(Cause.squash(exit.cause))
      })
    } else {
      // Steps yield nothing but what `isPending` lets through.
      ;(pending as PromiseLike<unknown>).then(this.#succeed, this.#fail)
    }
  }

  readonly #succeed = (value: unknown): void => {
    try {
      if (this.#driver.stopped) this.#close()
      else this.#advance(this.#steps.next(value))
    } catch (error) {
      this.#reject(error)
    }
  }

  readonly #fail = (error: unknown): void => {
    try {
      if (this.#driver.stopped) this.#close()
      else this.#advance(this.#steps.throw(error))
    } catch (thrown) {
      this.#reject(thrown)
    }
  }

  #advance(step: IteratorResult<unknown, A>): void {
    if (step.done === true) this.#resolve(step.value)
    else this.waitOn(step.value)
  }

  /** Runs the `finally` blocks and no other code of the steps. */
  #close(): void {
    // The value is never read: the Promise rejects.
    this.#steps.return(undefined as A)
    this.#reject(this.#driver.stopReason)
  }
}
