/** Lets so many calls run at once and so many wait, in order of arrival. */
import { McpBridgeError } from "../errors/McpBridgeError.ts"

/** A call that has no place yet. */
interface Waiting {
  readonly places: number
  readonly enter: () => void
}

export interface GatedCall {
  /** It runs alone. */
  readonly isExclusive: boolean
  readonly signal: AbortSignal
  /** Settles when nothing runs that needs its place. Asked once, where the call is given up before it has settled. */
  readonly whenIdle: () => Promise<void>
}

export class CallGate {
  readonly #atOnce: number
  readonly #maxWaiting: number
  #free: number
  /** Whoever came first enters first: a call that needs every place would else never get them under load. */
  readonly #queue = new Set<Waiting>()
  /** Calls that run or wait. */
  #admitted = 0

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce
    this.#free = atOnce
    this.#maxWaiting = maxWaiting
  }

  /**
   * Rejects with `McpBridgeError` where too many wait already, and with the signal's reason as soon as it aborts; the place
   * of a call that has begun is taken until it has settled or, once given up, is idle.
   */
  async run<A>(begin: () => Promise<A>, { isExclusive, signal, whenIdle }: GatedCall): Promise<A> {
    signal.throwIfAborted()
    if (this.#admitted >= this.#atOnce + this.#maxWaiting) {
      throw new McpBridgeError(`More than ${this.#maxWaiting} calls are waiting: try again later`)
    }
    const places = isExclusive ? this.#atOnce : 1
    this.#admitted += 1
    try {
      await this.#enter(places, signal)
    } catch (error) {
      this.#admitted -= 1
      throw error
    }
    let isIn = true
    const leave = (): void => {
      if (!isIn) return
      isIn = false
      this.#admitted -= 1
      this.#free += places
      this.#admit()
    }
    const running = Promise.resolve().then(begin)
    running.then(leave, leave)
    return Promise.race([running, aborted(signal, running, () => void whenIdle().then(leave))])
  }

  #enter(places: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#queue.delete(waiting)
        reject(signal.reason)
        // Those behind it may fit.
        this.#admit()
      }
      const enter = (): void => {
        signal.removeEventListener("abort", onAbort)
        resolve()
      }
      const waiting: Waiting = { places, enter }
      signal.addEventListener("abort", onAbort, { once: true })
      this.#queue.add(waiting)
      this.#admit()
    })
  }

  #admit(): void {
    for (const waiting of this.#queue) {
      if (waiting.places > this.#free) return
      this.#queue.delete(waiting)
      this.#free -= waiting.places
      waiting.enter()
    }
  }
}

/** Rejects on abort; leaves no listener once `running` has settled. */
const aborted = (signal: AbortSignal, running: Promise<unknown>, giveUp: () => void): Promise<never> =>
  new Promise((_, reject) => {
    const onAbort = (): void => {
      giveUp()
      reject(signal.reason)
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener("abort", onAbort, { once: true })
    const release = (): void => signal.removeEventListener("abort", onAbort)
    running.then(release, release)
  })
