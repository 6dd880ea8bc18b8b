/** A session's events reach its subscribers, each through a bounded queue of its own. Publishing never waits. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { SubscribeOptions } from "../ports/AgentPort.ts"
import { type Ending, Subscription } from "./Subscription.ts"

/** The events of one session handle. No event of another session, fork or clone passes it, and nothing is replayed. */
export interface EventHub {
  /** False while nobody would see an event: then the events of streamed pieces are not even made. Absent means true. */
  readonly isObserved?: boolean
  /** Events arrive redacted and in order. Does not throw, block or wait. */
  readonly publish: (event: AgentEvent) => void
  /** Live from this call on. Fails with `TypeError` when `overflow` or `until` is not one of its words. */
  readonly subscribe: (options?: SubscribeOptions, ending?: Ending) => AsyncIterableIterator<AgentEvent>
  /** A run has settled: subscriptions until `run` end behind what is queued for them. */
  readonly endRun: () => void
}

export class EventBroadcaster extends Context.Service<
  EventBroadcaster,
  {
    /** Called once per session handle, before its first event or subscription. */
    readonly open: (sessionId: string) => EventHub
  }
>()("@arnilo/prism-core/broadcast/EventBroadcaster") {
  static readonly live = EventBroadcaster.of({ open: (sessionId) => new LiveHub(sessionId) })
  static readonly layer = Layer.succeed(EventBroadcaster, EventBroadcaster.live)
}

const none: ReadonlyArray<Subscription> = []

class LiveHub implements EventHub {
  readonly #sessionId: string
  /** Replaced, never changed, so that a publication may remove a subscriber while it walks. */
  #subscribers: ReadonlyArray<Subscription> = none

  constructor(sessionId: string) {
    this.#sessionId = sessionId
  }

  get isObserved(): boolean {
    return this.#subscribers.length > 0
  }

  publish(event: AgentEvent): void {
    const subscribers = this.#subscribers
    if (subscribers.length === 0) return
    // One result for all: a subscriber hands it out as it is.
    const result = { value: event, done: false } as const
    for (const subscriber of subscribers) subscriber.push(result)
  }

  subscribe(options?: SubscribeOptions, ending?: Ending): Subscription {
    const subscription = new Subscription(this.#sessionId, options, ending, (closed) => {
      this.#subscribers = this.#subscribers.filter((one) => one !== closed)
    })
    this.#subscribers = [...this.#subscribers, subscription]
    return subscription
  }

  endRun(): void {
    for (const subscriber of this.#subscribers) subscriber.endRun()
  }
}
