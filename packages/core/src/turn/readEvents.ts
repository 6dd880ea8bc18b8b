/** Reads one attempt's events to their end. Written with callbacks instead of steps: it runs once per streamed token. */
import { ProviderError } from "../errors/ProviderError.ts"
import { isPending } from "../ports/Steps.ts"
import type { TurnCollector } from "../provider/collectTurn.ts"
import { fromWireEvent, type WireNames } from "../provider/wireNames.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"
import type { TurnScope } from "./TurnScope.ts"

/**
 * Feeds the collector and tells what comes, in order; one `next()` at a time. Rejects with what the provider throws or with
 * what is wrong with its events. Once the run is stopped it neither settles nor tells anything.
 */
export const readEvents = (
  scope: TurnScope,
  events: AsyncIterable<ProviderEvent>,
  collector: TurnCollector,
  names: WireNames | undefined
): Promise<void> =>
  new Promise((resolve, reject) => {
    if (typeof events?.[Symbol.asyncIterator] !== "function") {
      const message = `Provider ${scope.provider.id} returned no async iterable`
      throw new ProviderError({ error: { message, code: "invalid_provider" } })
    }
    new EventReader(scope, events[Symbol.asyncIterator](), collector, names, resolve, reject).pull()
  })

class EventReader {
  readonly #scope: TurnScope
  readonly #iterator: AsyncIterator<ProviderEvent>
  readonly #collector: TurnCollector
  readonly #names: WireNames | undefined
  readonly #resolve: () => void
  readonly #reject: (reason: unknown) => void
  readonly #sessionId: string
  readonly #runId: string
  #toldStart = false

  constructor(
    scope: TurnScope,
    iterator: AsyncIterator<ProviderEvent>,
    collector: TurnCollector,
    names: WireNames | undefined,
    resolve: () => void,
    reject: (reason: unknown) => void
  ) {
    this.#scope = scope
    this.#iterator = iterator
    this.#collector = collector
    this.#names = names
    this.#resolve = resolve
    this.#reject = reject
    this.#sessionId = scope.sessionId
    this.#runId = scope.runId
    scope.reading = iterator
  }

  readonly pull = (): void => {
    try {
      const pending = this.#iterator.next()
      if (isPending(pending)) pending.then(this.#onStep, this.#onFailure)
      // A provider that breaks the protocol and answers at once must not starve everybody else.
      else Promise.resolve(pending).then(this.#onStep, this.#onFailure)
    } catch (error) {
      this.#onFailure(error)
    }
  }

  readonly #onStep = (step: IteratorResult<ProviderEvent>): void => {
    if (this.#scope.stopped) return
    try {
      if (step.done === true) return this.#end(false)
      const told = this.#take(step.value)
      if (told === undefined) this.#goOn()
      else told.then(() => this.#goOn(), this.#onFailure)
    } catch (error) {
      this.#end(true)
      this.#reject(error)
    }
  }

  /** The provider is over by itself: it needs no closing. */
  readonly #onFailure = (error: unknown): void => {
    if (this.#scope.stopped) return
    this.#scope.reading = undefined
    this.#reject(error)
  }

  #goOn(): void {
    if (this.#collector.done) this.#end(true)
    else this.pull()
  }

  #take(event: ProviderEvent): void | Promise<void> {
    const collector = this.#collector
    const content = collector.accept(this.#names === undefined ? event : fromWireEvent(event, this.#names))
    let told: void | Promise<void> = undefined
    if (collector.started && !this.#toldStart) {
      this.#toldStart = true
      const { messageId } = collector
      const message = { role: "assistant" as const, content: [], ...(messageId === undefined ? undefined : { id: messageId }) }
      told = this.#scope.emit({ type: "message_started", sessionId: this.#sessionId, runId: this.#runId, message })
    }
    if (content === undefined) return told
    const delta = this.#scope.emit({ type: "message_delta", sessionId: this.#sessionId, runId: this.#runId, content })
    // Rows are written in order: who has waited for the second has waited for the first.
    return delta ?? told
  }

  /** Left early the iterator is told, and nobody waits for its answer. */
  #end(early: boolean): void {
    this.#scope.reading = undefined
    if (early) closeIterator(this.#iterator)
    this.#resolve()
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
