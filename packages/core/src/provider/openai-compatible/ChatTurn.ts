/** One turn as an iterator of its events. Written by hand: an answer comes in many small events, and most are there already. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { ProviderRequest } from "../../ports/AIProvider.ts"
import { type Driver, drivePromise, type Steps } from "../../ports/Steps.ts"
import type { ProviderEvent } from "../../schema/ProviderEvent.ts"
import { Answer, type AnswerOptions } from "./Answer.ts"
import { toRequest } from "./toRequest.ts"

/** What every turn of a provider has in common. */
export interface ChatTurnOptions extends AnswerOptions {
  readonly fork: Driver["fork"]
}

type Next = IteratorResult<ProviderEvent, undefined>
const END: Next = { done: true, value: undefined }

/**
 * Nothing happens before the first `next()`, which rejects when the request cannot be put on the wire; every later failure
 * is an `error` event. An abort of the request's signal closes the connection at once, and `next()` rejects with its reason.
 * `return()` closes it too, and ends a `next()` that waits.
 */
export class ChatTurn implements AsyncIterableIterator<ProviderEvent, undefined>, Driver {
  stopped = false
  stopReason: unknown
  readonly #options: ChatTurnOptions
  readonly #request: ProviderRequest
  readonly #scope = Scope.makeUnsafe("parallel")
  #answer: Answer | undefined
  #fiber: Fiber.Fiber<unknown, unknown> | undefined
  #pending: Promise<Next> | undefined
  /** Nothing more is handed out. */
  #isOver = false

  constructor(options: ChatTurnOptions, request: ProviderRequest) {
    this.#options = options
    this.#request = request
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Next> {
    const again = (): Promise<Next> => this.next()
    if (this.#pending !== undefined) return this.#pending.then(again, again)
    if (this.#isOver) return Promise.resolve(END)
    const signal = this.#request.signal
    if (signal?.aborted === true) {
      this.#isOver = true
      this.#stop(signal.reason)
      return Promise.reject(signal.reason)
    }
    const event = this.#answer?.take()
    if (event !== undefined) return Promise.resolve(this.#handOut(event))
    this.#pending = drivePromise(this.#steps(), this).then(this.#succeed, this.#fail)
    return this.#pending
  }

  return(): Promise<Next> {
    this.#isOver = true
    // A complete answer may still be read to the end of its body, so that the connection can be used again.
    if (this.#answer?.isDone !== true) this.#stop(undefined)
    return Promise.resolve(END)
  }

  readonly fork = <A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> => {
    const fiber = this.#options.fork(effect)
    this.#fiber = fiber
    return fiber
  };

  *#steps(): Steps<Next> {
    if (this.#answer === undefined) {
      const body = JSON.stringify(toRequest(this.#request))
      this.#request.signal?.addEventListener("abort", this.#onAbort)
      this.#answer = new Answer(this.#options, this.#request.options?.headers, this.#scope)
      yield* this.#answer.open(body)
    }
    const answer = this.#answer
    while (!answer.hasEvents) yield* answer.read()
    if (answer.isOver) this.#release(answer.isDone ? answer.drain() : Effect.void)
    const event = answer.take()
    return event === undefined ? END : this.#handOut(event)
  }

  #handOut(event: ProviderEvent): Next {
    if (event.type === "done" || event.type === "error") this.#isOver = true
    return { done: false, value: event }
  }

  readonly #succeed = (next: Next): Next => {
    this.#pending = undefined
    return next
  }

  readonly #fail = (error: unknown): Next => {
    this.#pending = undefined
    if (this.#isOver) return END
    this.#isOver = true
    this.#release(Effect.void)
    throw error
  }

  readonly #onAbort = (): void => this.#stop(this.#request.signal?.reason)

  #stop(reason: unknown): void {
    if (!this.stopped) {
      this.stopped = true
      this.stopReason = reason
    }
    this.#fiber?.interruptUnsafe()
    this.#release(Effect.void)
  }

  /** Closes the connection behind `last`. Again is no harm. */
  #release(last: Effect.Effect<unknown>): void {
    this.#request.signal?.removeEventListener("abort", this.#onAbort)
    this.#options.fork(Effect.ensuring(last, Scope.close(this.#scope, Exit.void)))
  }
}
