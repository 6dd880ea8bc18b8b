/** Stored history → messages of a request. Every request is built through here, so that a provider accepts it. */
import type { Message } from "../schema/Message.ts"
import { cleanStep, repairStep } from "./exchange.ts"

/**
 * The messages of a log as a provider accepts them: each call has exactly one result directly after its message, in the order
 * of the calls. Results count up to the next assistant message; a missing one is answered with a fixed error result of code
 * `ERR_PRISM_TOOL_RESULT_MISSING`; results without a call, second results and fragments of calls are set aside. Pure and
 * idempotent; a log that needs no repair is returned itself.
 */
export const providerView = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const from = cleanUntil(messages, 0)
  if (from === messages.length) return messages
  const view = messages.slice(0, from)
  for (let at = from; at < messages.length;) at = repairStep(messages, at, view).next
  return view
}

/** Where the first message stands, at or behind the boundary `from`, that a provider would not accept as it is. */
const cleanUntil = (messages: ReadonlyArray<Message>, from: number): number => {
  let at = from
  while (at < messages.length) {
    const next = cleanStep(messages, at)
    if (next === -1) return at
    at = next
  }
  return at
}

/**
 * `providerView` of one log that grows: only what was appended is looked at, and nothing is copied while nothing needs repair.
 * A log that became shorter, or whose last seen message is another, is looked at anew.
 */
export class ProviderView {
  /** Messages of the log that later ones cannot change the view of. */
  #settled = 0
  /** Messages of the log at the last call, and the last of them: an exchange is settled by what follows it. */
  #seen = 0
  #last: Message | undefined = undefined
  /** The view of the settled ones, followed by that of an unanswered exchange; absent while the log needs no repair. */
  #view: Array<Message> | undefined = undefined
  /** Length of the view of the settled ones, and whether it differs from them. */
  #settledView = 0
  #repaired = false

  /** The view of `history`, which is `history` itself if that needs no repair. Good until the next call: it is reused then. */
  messages(history: ReadonlyArray<Message>): ReadonlyArray<Message> {
    if (this.#seen > history.length || (this.#seen > 0 && history[this.#seen - 1] !== this.#last)) this.#reset()
    this.#seen = history.length
    this.#last = history[history.length - 1]
    return this.#repaired ? this.#fold(history) : this.#foldClean(history)
  }

  #foldClean(history: ReadonlyArray<Message>): ReadonlyArray<Message> {
    const clean = cleanUntil(history, this.#settled)
    this.#settled = clean
    this.#settledView = clean
    this.#view = undefined
    return clean === history.length ? history : this.#fold(history)
  }

  #fold(history: ReadonlyArray<Message>): ReadonlyArray<Message> {
    const view = (this.#view ??= history.slice(0, this.#settled))
    view.length = this.#settledView
    let at = this.#settled
    while (at < history.length) {
      const step = repairStep(history, at, view)
      at = step.next
      // What is open is folded again when more of the log is known.
      if (step.open) break
      this.#repaired = true
      this.#settled = at
      this.#settledView = view.length
    }
    return view
  }

  #reset(): void {
    this.#settled = 0
    this.#settledView = 0
    this.#view = undefined
    this.#repaired = false
  }
}
