/** A provider that plays back a list of events, for tests and examples. */
import type { AIProvider, ProviderRequest } from "../ports/AIProvider.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"

export interface MockProviderOptions {
  /** `mock` by default. */
  readonly id?: string | undefined
  /** Called once per turn, when its first event is asked for. What it throws fails the turn. */
  readonly onRequest?: ((request: ProviderRequest) => void) | undefined
}

type Step = Promise<IteratorResult<ProviderEvent, undefined>>

const finished: Step = Promise.resolve({ done: true, value: undefined })

/**
 * Plays the same events to every request, one per `next()`, by default a lone `done`. Looks at the request's signal
 * before each event and rejects with its reason once it is aborted. The list is read once, here.
 */
export const createMockProvider = (
  events: ReadonlyArray<ProviderEvent> = [{ type: "done" }],
  options: MockProviderOptions = {}
): AIProvider => {
  const steps = events.map((value): Step => Promise.resolve({ done: false, value }))
  return { id: options.id ?? "mock", generate: (request) => new Playback(steps, request, options.onRequest) }
}

class Playback implements AsyncIterableIterator<ProviderEvent, undefined> {
  readonly #steps: ReadonlyArray<Step>
  readonly #request: ProviderRequest
  readonly #onRequest: MockProviderOptions["onRequest"]
  #index = -1

  constructor(steps: ReadonlyArray<Step>, request: ProviderRequest, onRequest: MockProviderOptions["onRequest"]) {
    this.#steps = steps
    this.#request = request
    this.#onRequest = onRequest
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Step {
    if (this.#index === -1) {
      this.#index = 0
      try {
        this.#onRequest?.(this.#request)
      } catch (error) {
        return this.#fail(error)
      }
    }
    const step = this.#steps[this.#index]
    if (step === undefined) return finished
    const { signal } = this.#request
    if (signal?.aborted === true) return this.#fail(signal.reason)
    this.#index++
    return step
  }

  return(): Step {
    this.#index = this.#steps.length
    return finished
  }

  #fail(reason: unknown): Step {
    this.#index = this.#steps.length
    return Promise.reject(reason)
  }
}
