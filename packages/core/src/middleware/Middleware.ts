/** Ordered hooks that may change what passes: requests, calls, results, decisions. */
import type { Middleware, MiddlewareErrorEvent, MiddlewareHook, MiddlewareRegistry } from "../ports/MiddlewarePort.ts"
import type { Secrets } from "../ports/Redaction.ts"
import { drivePromise, type Steps, unstoppable, waitFor } from "../ports/Steps.ts"
import { errorToErrorInfo } from "../security/Redactor.ts"

export interface MiddlewareRegistryOptions {
  /** `event` (the default) tells `onError` and goes on with the current value; `throw` fails the hook at once. */
  readonly errorPolicy?: "event" | "throw" | undefined
  /** Removed from errors before they are told. */
  readonly secrets?: Secrets | undefined
  /**
   * Told of each failure, without being waited for. Its own failure is ignored: a broken reporter must not break a run.
   */
  readonly onError?: ((event: MiddlewareErrorEvent) => void | PromiseLike<void>) | undefined
}

/** What a registry made here lets the kernel do without a Promise. */
interface OwnRegistry {
  readonly has: (hook: MiddlewareHook) => boolean
  readonly steps: <T>(hook: MiddlewareHook, value: T) => Steps<T>
}

/** By `run`, so that a registry whose `run` was replaced counts as a host's own. */
const ownRegistries = new WeakMap<object, OwnRegistry>()
const ownOf = ({ run }: { readonly run: object }): OwnRegistry | undefined => ownRegistries.get(run)

/** One `use` of a middleware. What it takes is what its hook carries: a host pairs the two. */
interface Registration {
  readonly middleware: Middleware<never>
}

const none: ReadonlyArray<Registration> = []

/**
 * Middleware by hook, run one after the other in order of registration. Each returns the new value, or calls `next`
 * with it once, and then what it returns does not count. One that returns nothing leaves the value as it is.
 */
export const createMiddlewareRegistry = (options: MiddlewareRegistryOptions = {}): MiddlewareRegistry => {
  const registrations = new Map<MiddlewareHook, ReadonlyArray<Registration>>()
  const of = (hook: MiddlewareHook) => registrations.get(hook) ?? none

  function* steps<T>(hook: MiddlewareHook, value: T): Steps<T> {
    const chain = of(hook)
    if (chain.length === 0) return value
    const reporter = makeReporter(hook, options)
    let current = value
    for (const { middleware } of chain) {
      // A host pairs hook and middleware: see `Registration`.
      current = yield* runOne(middleware as unknown as Middleware<T>, current, reporter)
    }
    return current
  }
  const run = <T>(hook: MiddlewareHook, value: T): Promise<T> => drivePromise(steps(hook, value), unstoppable)
  ownRegistries.set(run, { steps, has: (hook) => of(hook).length > 0 })
  return {
    run,
    use: (hook, middleware) => {
      if (typeof middleware !== "function") throw new TypeError(`Middleware for ${hook} must be a function`)
      // As above. A list is never changed in place, since a run may be going through it.
      const registration = { middleware: middleware as unknown as Middleware<never> }
      registrations.set(hook, [...of(hook), registration])
      return () => {
        registrations.set(
          hook,
          of(hook).filter((other) => other !== registration)
        )
      }
    },
    list: (hook) => of(hook).map(({ middleware }) => middleware)
  }
}

/** Whether a hook may change anything. A host's own registry always may. */
export const hasMiddleware = (registry: MiddlewareRegistry | undefined, hook: MiddlewareHook): boolean =>
  registry !== undefined && (ownOf(registry)?.has(hook) ?? true)

/**
 * The value as the hook's middleware leaves it. Makes no Promise unless a middleware, or a host's own registry, does.
 */
export function* runMiddleware<T>(registry: MiddlewareRegistry | undefined, hook: MiddlewareHook, value: T): Steps<T> {
  if (registry === undefined) return value
  const own = ownOf(registry)
  return own === undefined ? yield* waitFor<T>(registry.run(hook, value)) : yield* own.steps(hook, value)
}

interface Reporter {
  readonly throws: boolean
  readonly report: (error: unknown) => void
}

const makeReporter = (
  hook: MiddlewareHook,
  { errorPolicy, secrets, onError }: MiddlewareRegistryOptions
): Reporter => ({
  throws: errorPolicy === "throw",
  report: (error) => {
    if (onError === undefined) return
    const extension = `middleware:${hook}`
    try {
      onError({ type: "extension_error", extension, error: errorToErrorInfo(error, secrets) })?.then(undefined, ignore)
    } catch {
      // See `onError`.
    }
  }
})

const ignore = (): void => {}

function* runOne<T>(middleware: Middleware<T>, value: T, reporter: Reporter): Steps<T> {
  const passage = new Passage(value, reporter)
  try {
    const returned = yield* waitFor(middleware(value, passage.next))
    passage.settle(returned)
  } catch (error) {
    if (reporter.throws) throw error
    reporter.report(error)
  } finally {
    passage.closed = true
  }
  return passage.value
}

/** One middleware's say over one value. */
class Passage<T> {
  value: T
  closed = false
  #calls = 0
  readonly #reporter: Reporter

  constructor(value: T, reporter: Reporter) {
    this.value = value
    this.#reporter = reporter
  }

  readonly next = (value: T): Promise<T> => {
    if (this.closed) {
      this.#reporter.report(new Error("Middleware called next() after it had ended"))
    } else {
      this.#calls++
      // Thrown, not rejected: nobody may be waiting for the second answer.
      if (this.#calls > 1) throw secondCall()
      this.value = value
    }
    return Promise.resolve(value)
  }

  /** Takes in what the middleware returned. Throws when it had called `next` twice, even if it caught that itself. */
  settle(returned: T | void): void {
    if (this.#calls > 1) throw secondCall()
    if (returned === undefined || Object.is(returned, this.value)) return
    if (this.#calls === 0) this.value = returned
    else this.#reporter.report(new Error("Middleware called next() and returned another value"))
  }
}

const secondCall = () => new Error("Middleware called next() more than once")
