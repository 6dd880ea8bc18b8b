/** Reads one attempt's events to their end. Written with callbacks instead of steps: it runs once per streamed token. */
import * as Effect from "effect/Effect"
import { ProviderError } from "../errors/ProviderError.ts"
import { isPending } from "../ports/Steps.ts"
import type { TurnCollector } from "../provider/collectTurn.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"
import type { TurnScope } from "./TurnScope.ts"

/**
 * Feeds the collector and tells what comes, in order; one `next()` at a time. Rejects with what the provider throws or with
 * what is wrong with its events. Once the run is stopped it neither settles nor tells anything.
 */
export const readEvents = (
  scope: TurnScope,
  events: AsyncIterable<ProviderEvent>,
  collector: TurnCollector
): Promise<void> =>
  // @effect-diagnostics-next-line newPromise:off
  new Promise((resolve, reject) => {
    const iterator = events?.[Symbol.asyncIterator]?.()
    if (typeof iterator?.next !== "function") throw invalid(scope, "returned no async iterable", "invalid_provider")
    // The provider itself may have been what stopped the run.
    if (scope.stopped) return closeIterator(iterator)
    new EventReader(scope, iterator, collector, resolve, reject).pull()
  })

const invalid = (scope: TurnScope, what: string, code: string): ProviderError =>
  new ProviderError({ error: { message: `Provider ${scope.provider.id} ${what}`, code } })

/** After so many events everybody else gets a turn: a provider that always has the next one at hand leaves no other. */
const EVENTS_AT_A_STRETCH = 1024

class EventReader {
  readonly #scope: TurnScope
  readonly #iterator: AsyncIterator<ProviderEvent>
  readonly #collector: TurnCollector
  readonly #resolve: () => void
  readonly #reject: (reason: unknown) => void
  #toldStart = false
  #stretch = EVENTS_AT_A_STRETCH

  constructor(
    scope: TurnScope,
    iterator: AsyncIterator<ProviderEvent>,
    collector: TurnCollector,
    resolve: () => void,
    reject: (reason: unknown) => void
  ) {
    this.#scope = scope
    this.#iterator = iterator
    this.#collector = collector
    this.#resolve = resolve
    this.#reject = reject
    scope.startReading(iterator)
  }

  pull(): void {
    try {
      // A provider that breaks the protocol and answers at once is waited for all the same.
      Promise.resolve(this.#iterator.next()).then(this.#onStep, this.#onFailure)
    } catch (error) {
      this.#onFailure(error)
    }
  }

  readonly #onStep = (step: IteratorResult<ProviderEvent>): void => {
    if (this.#scope.stopped) return
    try {
      if (step.done === true) return this.#end()
      const told = this.#take(step.value)
      if (told === undefined) this.#goOn()
      else
        told.then(
          () => this.#goOn(),
          (error: unknown) => this.#giveUp(error)
        )
    } catch (error) {
      const isStep = typeof step === "object" && step !== null
      this.#giveUp(isStep ? error : invalid(this.#scope, "returned no iterator result", "invalid_provider"))
    }
  }

  /** The provider is over by itself: it needs no closing. */
  readonly #onFailure = (error: unknown): void => {
    if (this.#scope.stopped) return
    this.#scope.endReading(this.#iterator)
    this.#reject(error)
  }

  #goOn(): void {
    if (this.#scope.stopped) return
    if (this.#collector.done) {
      this.#end()
      closeIterator(this.#iterator)
    } else if (--this.#stretch > 0) this.pull()
    else this.#rest()
  }

  #rest(): void {
    this.#stretch = EVENTS_AT_A_STRETCH
    this.#scope.fork(Effect.yieldNow).addObserver(() => {
      if (!this.#scope.stopped) this.pull()
    })
  }

  #take(event: ProviderEvent): void | Promise<void> {
    const collector = this.#collector
    const content = collector.accept(event)
    const { runId, sessionId } = this.#scope
    let told: void | Promise<void> = undefined
    if (collector.started && !this.#toldStart) {
      this.#toldStart = true
      const { messageId } = collector
      const role = "assistant" as const
      const message = messageId === undefined ? { role, content: [] } : { role, content: [], id: messageId }
      told = this.#scope.emit({ type: "message_started", sessionId, runId, message })
    }
    if (content === undefined || !this.#scope.isObserved) return told
    const delta = this.#scope.emit({ type: "message_delta", sessionId, runId, content })
    if (told === undefined || delta === undefined) return delta ?? told
    // Rows are written in order, and a ledger that failed once refuses the next: whoever waits for the second knows of both.
    told.catch(() => undefined)
    return delta
  }

  #end(): void {
    this.#scope.endReading(this.#iterator)
    this.#resolve()
  }

  /** Left early the iterator is told, and nobody waits for its answer. */
  #giveUp(error: unknown): void {
    if (this.#scope.stopped) return
    this.#scope.endReading(this.#iterator)
    closeIterator(this.#iterator)
    this.#reject(error)
  }
}

/** Asks an iterator to release what it holds. Its answer, a failure too, is of no use to anybody. */
export const closeIterator = (iterator: AsyncIterator<unknown>): void => {
  try {
    const closed = iterator.return?.()
    if (isPending(closed)) Promise.resolve(closed).catch(() => undefined)
  } catch {
    // The turn is over either way.
  }
}
