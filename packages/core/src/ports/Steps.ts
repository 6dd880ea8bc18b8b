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

/**
 * Drives steps that go on when `signal` aborts, while the Effects that they wait for are interrupted: such an Effect has
 * failed with the signal's reason.
 */
export const interruptedBy = (signal: AbortSignal | undefined): Driver =>
  signal === undefined ? unstoppable : new SignalDriver(signal)

class SignalDriver implements Driver {
  readonly #signal: AbortSignal
  readonly stopped = false

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  get stopReason(): unknown {
    return this.#signal.reason
  }

  fork<A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> {
    return Effect.runFork(effect, { signal: this.#signal })
  }
}

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
  // The one place where waiting becomes a Promise; see `Steps`.
  // @effect-diagnostics-next-line newPromise:off
  return new Promise<A>((resolve, reject) => new Drive(steps, driver, resolve, reject).waitOn(first.value))
}

/** `drive` for who needs no Promise: calls back once, at once if nothing is pending. */
export const driveTo = <A>(
  steps: Steps<A>,
  driver: Driver,
  succeed: (value: A) => void,
  fail: (reason: unknown) => void
): void => new Drive(steps, driver, succeed, fail).start()

/** `drive` for a documented function that always answers with a Promise. */
export const drivePromise = <A>(steps: Steps<A>, driver: Driver): Promise<A> => {
  try {
    return Promise.resolve(drive(steps, driver))
  } catch (error) {
    return Promise.reject(error)
  }
}

/**
 * Steps in the caller's own fiber: what they wait for is interrupted with it, and their `finally` blocks run then. Fails
 * with whatever they throw.
 */
export const fromSteps = <A>(make: () => Steps<A>): Effect.Effect<A, unknown> =>
  Effect.suspend(() => {
    const steps = make()
    const followed = follow(steps, () => steps.next())
    if (Exit.isExit(followed)) return followed
    // The value is never read: the fiber is over.
    return Effect.onInterrupt(followed, () => Effect.sync(() => void steps.return(undefined as A)))
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
    // An interruption of this fiber comes past here. What does come is a host's Effect that has interrupted itself.
    onFailure: (cause) => follow(steps, () => steps.throw(Cause.squash(cause)))
  })
}

/** What steps yield: an Effect of the host, which has no requirements left, or a Promise. */
const asEffect = (pending: unknown): Effect.Effect<unknown, unknown> =>
  Effect.isEffect(pending)
    ? (pending as Effect.Effect<unknown, unknown>)
    : Effect.callback((resume) => {
        whenSettled(
          pending,
          (value) => resume(Effect.succeed(value)),
          (error) => resume(Effect.fail(error))
        )
      })

/**
 * Calls back once and later, whatever a foreign `then` does: one that throws has rejected, and what it calls afterwards
 * does not count. As `await` has it, a Promise whose own `then` was replaced is waited for all the same. Throws for a
 * Promise that cannot be looked at.
 */
const whenSettled = (pending: unknown, succeed: (value: unknown) => void, fail: (error: unknown) => void): void => {
  void Promise.prototype.then.call(Promise.resolve(pending), succeed, fail)
}

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

  start(): void {
    try {
      if (this.#driver.stopped) throw this.#driver.stopReason
      this.#advance(this.#steps.next())
    } catch (error) {
      this.#reject(error)
    }
  }

  waitOn(pending: unknown): void {
    if (!(pending instanceof Promise) && Effect.isEffect(pending)) {
      // A host's Effect has no requirements left: `HostValue` says so.
      this.#driver.fork(pending as Effect.Effect<unknown, unknown>).addObserver((exit) => this.#end(exit))
      return
    }
    try {
      whenSettled(pending, this.#succeed, this.#fail)
    } catch (error) {
      this.#fail(error)
    }
  }

  #end(exit: Exit.Exit<unknown, unknown>): void {
    if (Exit.isSuccess(exit)) this.#succeed(exit.value)
    else if (Cause.hasInterruptsOnly(exit.cause)) this.#fail(this.#driver.stopReason ?? Cause.squash(exit.cause))
    else this.#fail(Cause.squash(exit.cause))
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
