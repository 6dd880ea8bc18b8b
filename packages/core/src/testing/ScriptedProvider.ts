/** A provider that answers turn by turn from a list and records what it was sent: the model of every test. */
import * as Effect from "effect/Effect"
import type { AIProvider, ProviderRequest } from "../ports/AIProvider.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"

/** One thing that a scripted turn does. */
export type ScriptStep =
  | ProviderEvent
  /** Waits that many milliseconds by the clock given to `createScriptedProvider`. */
  | { readonly wait: number }
  /** Throws this out of the iterator. */
  | { readonly fail: unknown }
  /** Never answers; only a closed iterator or an aborted signal ends the turn. */
  | { readonly hang: true }
  /** Runs, and goes on. */
  | { readonly run: (request: ProviderRequest) => void }

export type ScriptedTurn = ReadonlyArray<ScriptStep> | ((request: ProviderRequest) => ReadonlyArray<ScriptStep>)

export interface ScriptedProviderOptions {
  /** `mock` by default. */
  readonly id?: string | undefined
  /** Runs a wait; by default on Effect's own clock. Tests under `TestClock` pass `Effect.runPromiseWith(context)`. */
  readonly runPromise?: ((effect: Effect.Effect<void>) => Promise<void>) | undefined
}

export interface ScriptedProvider extends AIProvider {
  /** Every request so far, in order; the messages as they were when it was sent. */
  readonly requests: ReadonlyArray<ProviderRequest>
  /** Iterators that were closed before their end. */
  readonly closed: number
  /** Iterators that are being read. */
  readonly open: number
}

/** The last turn of the script is repeated when more are asked for. */
export const createScriptedProvider = (
  turns: ReadonlyArray<ScriptedTurn>,
  options: ScriptedProviderOptions = {}
): ScriptedProvider => {
  const requests: Array<ProviderRequest> = []
  const { id = "mock", runPromise = Effect.runPromise } = options
  const counts = { open: 0, closed: 0 }
  return {
    id,
    requests,
    get open() {
      return counts.open
    },
    get closed() {
      return counts.closed
    },
    generate(request) {
      const turn = turns[Math.min(requests.length, turns.length - 1)] ?? []
      requests.push({ ...request, messages: [...request.messages] })
      const steps = typeof turn === "function" ? turn(request) : turn
      return { [Symbol.asyncIterator]: () => new ScriptIterator(steps, request, counts, runPromise) }
    }
  }
}

const DONE: IteratorReturnResult<undefined> = { value: undefined, done: true }

class ScriptIterator implements AsyncIterator<ProviderEvent, undefined> {
  readonly #steps: ReadonlyArray<ScriptStep>
  readonly #request: ProviderRequest
  readonly #counts: { open: number; closed: number }
  readonly #runPromise: (effect: Effect.Effect<void>) => Promise<void>
  #at = 0
  #over = false

  constructor(
    steps: ReadonlyArray<ScriptStep>,
    request: ProviderRequest,
    counts: { open: number; closed: number },
    runPromise: (effect: Effect.Effect<void>) => Promise<void>
  ) {
    this.#steps = steps
    this.#request = request
    this.#counts = counts
    this.#runPromise = runPromise
    counts.open += 1
  }

  next(): Promise<IteratorResult<ProviderEvent, undefined>> {
    for (;;) {
      const step = this.#over ? undefined : this.#steps[this.#at]
      if (step === undefined) {
        this.#end()
        return Promise.resolve(DONE)
      }
      this.#at += 1
      if ("type" in step) return Promise.resolve({ value: step, done: false })
      if ("wait" in step) return this.#runPromise(Effect.sleep(step.wait)).then(() => this.next())
      // @effect-diagnostics-next-line newPromise:off
      if ("hang" in step) return new Promise(() => undefined)
      if ("fail" in step) {
        this.#end()
        return Promise.reject(step.fail)
      }
      step.run(this.#request)
    }
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    if (!this.#over) this.#counts.closed += 1
    this.#end()
    return Promise.resolve(DONE)
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    this.#counts.open -= 1
  }
}
