/** Lets so many calls run at once and so many wait, in order of arrival. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { McpBridgeError } from "../errors/McpBridgeError.ts"

export class CallGate {
  readonly #permits: Semaphore.Semaphore
  readonly #atOnce: number
  readonly #maxWaiting: number
  /** Calls that run or wait. */
  #admitted = 0

  constructor(atOnce: number, maxWaiting: number) {
    this.#permits = Semaphore.makeUnsafe(atOnce)
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  /**
   * An exclusive call runs alone. Rejects with `McpBridgeError` where too many wait already, and with the signal's reason
   * as soon as it aborts; the place of a call that has begun is taken until it has settled.
   */
  async run<A>(
    begin: () => Promise<A>,
    { isExclusive, signal }: { readonly isExclusive: boolean; readonly signal: AbortSignal }
  ): Promise<A> {
    signal.throwIfAborted()
    if (this.#admitted >= this.#atOnce + this.#maxWaiting) {
      throw new McpBridgeError(`More than ${this.#maxWaiting} calls are waiting: try again later`)
    }
    const places = isExclusive ? this.#atOnce : 1
    this.#admitted += 1
    try {
      await Effect.runPromise(this.#permits.take(places), { signal })
    } catch (error) {
      this.#admitted -= 1
      throw error
    }
    const leave = (): void => {
      this.#admitted -= 1
      Effect.runSync(this.#permits.release(places))
    }
    const running = Promise.resolve().then(begin)
    running.then(leave, leave)
    return Promise.race([running, aborted(signal, running)])
  }
}

/** Rejects on abort; leaves no listener once `running` has settled. */
const aborted = (signal: AbortSignal, running: Promise<unknown>): Promise<never> =>
  new Promise((_, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener("abort", onAbort, { once: true })
    const release = (): void => signal.removeEventListener("abort", onAbort)
    running.then(release, release)
  })
