/** The events of one run that belongs to whoever reads them. */
import { AgentRunError } from "../errors/AgentRunError.ts"
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { RunOptions, SubscribeOptions } from "../ports/AgentPort.ts"
import type { AgentInput } from "../ports/Input.ts"
import type { ActiveRun, RunHost } from "../run/ActiveRun.ts"
import type { RunOutcome } from "../run/concludeRun.ts"
import { makeId } from "../store/ids.ts"

type NextResult = IteratorResult<AgentEvent, undefined>

/** The session that a stream runs on. */
interface StreamHost extends Pick<RunHost, "active" | "hub"> {
  readonly start: (
    input: AgentInput,
    options: RunOptions,
    onSettled: (outcome: RunOutcome) => void,
    runId: string
  ) => ActiveRun
}

const DONE: IteratorReturnResult<undefined> = { value: undefined, done: true }

/** Nothing happens before the first `next()`. `return()` aborts the run and answers once it has settled. */
export class RunStream implements AsyncIterableIterator<AgentEvent, undefined> {
  readonly #session: StreamHost
  readonly #input: AgentInput
  readonly #options: RunOptions & SubscribeOptions
  #events: AsyncIterator<AgentEvent, undefined> | undefined
  #run: ActiveRun | undefined
  #settled: Promise<RunOutcome> | undefined
  /** Nothing more is to be had: the end, or the failure, was told. */
  #over = false

  constructor(session: StreamHost, input: AgentInput, options: RunOptions & SubscribeOptions) {
    this.#session = session
    this.#input = input
    this.#options = options
  }

  next(): Promise<NextResult> {
    if (this.#over) return Promise.resolve(DONE)
    if (this.#events !== undefined) return this.#events.next()
    try {
      return this.#start()
    } catch (error) {
      this.#over = true
      return Promise.reject(error)
    }
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#over = true
    if (this.#settled === undefined) return Promise.resolve(DONE)
    this.#run?.abort(new Error("stream consumer closed"))
    const closed = this.#events?.return?.()
    return this.#settled.then(() => closed).then(() => DONE)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #start(): Promise<NextResult> {
    const { maxQueuedEvents, overflow, until: _, ...options } = this.#options
    const runId = makeId("run")
    const events = this.#session.hub.subscribe({ maxQueuedEvents, overflow }, { runId, last: () => this.#last() })
    // Waiting already: what the run tells at once needs no place in the queue.
    const first = events.next()
    this.#events = events
    let settle: ((outcome: RunOutcome) => void) | undefined
    // @effect-diagnostics-next-line newPromise:off
    const settled = new Promise<RunOutcome>((resolve) => (settle = resolve))
    try {
      this.#run = this.#session.start(this.#input, options, (outcome) => settle?.(outcome), runId)
    } catch (error) {
      void events.return?.()
      throw error
    }
    this.#settled = settled
    return first
  }

  /** Behind the last event: the end, once the run has settled; for a run that did not succeed a rejection, once. */
  #last(): Promise<NextResult> {
    if (this.#over || this.#settled === undefined) return Promise.resolve(DONE)
    return this.#settled.then((outcome) => {
      if (this.#over || !(outcome instanceof AgentRunError)) return DONE
      this.#over = true
      throw outcome
    })
  }
}
