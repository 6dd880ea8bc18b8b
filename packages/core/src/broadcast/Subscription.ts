/** One subscriber of a session: a bounded queue, and the iterator over it. Written by hand: it runs once per streamed token. */
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { SubscriberOverflowPolicy } from "../events/SessionEvents.ts"
import { SessionLimits } from "../limits/SessionLimits.ts"
import type { SubscribeOptions } from "../ports/AgentPort.ts"

type EventResult = IteratorYieldResult<AgentEvent>
type NextResult = IteratorResult<AgentEvent, undefined>

/** Makes a subscription the stream of one run. */
export interface Ending {
  /** Events of any other run are left out. */
  readonly runId: string
  /** What `next()` answers behind the last event: a run that did not succeed rejects here. */
  readonly last: () => Promise<NextResult>
}

const DONE: IteratorReturnResult<undefined> = { value: undefined, done: true }
const OVERFLOWS: ReadonlyArray<unknown> = [
  "close",
  "drop_oldest",
  "drop_newest"
] satisfies Array<SubscriberOverflowPolicy>
const UNTILS: ReadonlyArray<unknown> = ["run", "closed"] satisfies Array<SubscribeOptions["until"]>

/** An untyped host may hand in any word. */
const assertWord = (option: string, word: unknown, words: ReadonlyArray<unknown>): void => {
  if (words.includes(word)) return
  const listed = [words.slice(0, -1).join(", "), words.at(-1)].join(" or ")
  throw new TypeError(`${option} must be ${listed}, not ${String(word)}`)
}

/** The documented lenient reading: floored, at least 1, the default when absent or not finite. */
export const resolveMaxQueuedEvents = (value: number | undefined): number =>
  value === undefined || !Number.isFinite(value)
    ? SessionLimits.table.maxQueuedEvents.default
    : Math.max(1, Math.floor(value))

export class Subscription implements AsyncIterableIterator<AgentEvent, undefined> {
  readonly #sessionId: string
  readonly #max: number
  readonly #overflow: SubscriberOverflowPolicy
  readonly #staysOpen: boolean
  readonly #ending: Ending | undefined
  readonly #onClose: (self: Subscription) => void
  #queue: EventQueue | undefined
  #ended = false
  /** The oldest pending `next()`, and those behind it. */
  #waiting: ((result: NextResult | Promise<NextResult>) => void) | undefined
  #waitingMore: Array<(result: NextResult | Promise<NextResult>) => void> | undefined

  constructor(
    sessionId: string,
    options: SubscribeOptions | undefined,
    ending: Ending | undefined,
    onClose: (self: Subscription) => void
  ) {
    const { maxQueuedEvents, overflow = "close", until = "run" } = options ?? {}
    assertWord("overflow", overflow, OVERFLOWS)
    assertWord("until", until, UNTILS)
    this.#sessionId = sessionId
    this.#max = resolveMaxQueuedEvents(maxQueuedEvents)
    this.#overflow = overflow
    this.#staysOpen = until === "closed"
    this.#ending = ending
    this.#onClose = onClose
  }

  push(result: EventResult): void {
    if (this.#ending !== undefined && "runId" in result.value && result.value.runId !== undefined) {
      if (result.value.runId !== this.#ending.runId) return
    }
    const waiting = this.#waiting
    if (waiting !== undefined) {
      this.#waiting = this.#waitingMore?.shift()
      waiting(result)
      return
    }
    const queue = (this.#queue ??= new EventQueue(this.#max))
    if (queue.size < this.#max) queue.push(result)
    else if (this.#overflow === "drop_oldest") {
      queue.shift()
      queue.push(result)
    } else if (this.#overflow === "close") this.#closeWithNotice(queue)
  }

  next(): Promise<NextResult> {
    const queued = this.#queue?.shift()
    if (queued !== undefined) return Promise.resolve(queued)
    if (this.#ended) return this.#last()
    // @effect-diagnostics-next-line newPromise:off
    return new Promise(this.#park)
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#queue = undefined
    this.#end(DONE)
    return Promise.resolve(DONE)
  }

  endRun(): void {
    if (!this.#staysOpen) this.#end(undefined)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  readonly #park = (resolve: (result: NextResult | Promise<NextResult>) => void): void => {
    if (this.#waiting === undefined) this.#waiting = resolve
    else (this.#waitingMore ??= []).push(resolve)
  }

  #last(): Promise<NextResult> {
    return this.#ending === undefined ? Promise.resolve(DONE) : this.#ending.last()
  }

  /** Only an idle queue can have waiters, so they all see the end. */
  #end(result: NextResult | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#onClose(this)
    const waiters = this.#waiting === undefined ? [] : [this.#waiting, ...(this.#waitingMore ?? [])]
    this.#waiting = this.#waitingMore = undefined
    for (const waiter of waiters) waiter(result ?? this.#last())
  }

  #closeWithNotice(queue: EventQueue): void {
    const notice: AgentEvent = {
      type: "event_subscriber_overflow",
      sessionId: this.#sessionId,
      droppedEvents: queue.size + 1,
      maxQueuedEvents: this.#max,
      overflow: "close"
    }
    this.#queue = new EventQueue(1)
    this.#queue.push({ value: notice, done: false })
    this.#end(undefined)
  }
}

/** A ring that is made at the first queued event and grows by doubling, never beyond what the bound needs. */
class EventQueue {
  #ring: Array<EventResult | undefined> = []
  #capacity = 0
  #head = 0
  size = 0
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  push(result: EventResult): void {
    if (this.size === this.#capacity) this.#grow()
    this.#ring[(this.#head + this.size) % this.#capacity] = result
    this.size += 1
  }

  shift(): EventResult | undefined {
    if (this.size === 0) return undefined
    const result = this.#ring[this.#head]
    this.#ring[this.#head] = undefined
    this.#head = (this.#head + 1) % this.#capacity
    this.size -= 1
    return result
  }

  #grow(): void {
    const capacity = Math.min(this.#max, Math.max(16, this.#capacity * 2))
    const ring: Array<EventResult | undefined> = Array.from({ length: capacity })
    for (let at = 0; at < this.size; at += 1) ring[at] = this.#ring[(this.#head + at) % this.#capacity]
    this.#ring = ring
    this.#capacity = capacity
    this.#head = 0
  }
}
