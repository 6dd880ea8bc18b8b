/* oxlint-disable no-await-in-loop -- a loop is what this is */
/** The limit: the least plain JavaScript that does the work, with no runtime around it. */
import { DELTA, type Execute, probeArguments, probeFault, type Subject, TURN_DELTAS } from "../Subject.ts"

type Piece = { readonly text: string } | { readonly call: Readonly<Record<string, unknown>> }
type Line = { readonly role: string; readonly content: unknown }

async function* play(pieces: ReadonlyArray<Piece>): AsyncGenerator<Piece> {
  for (const piece of pieces) yield piece
}

const textOf = (deltas: number): ReadonlyArray<Piece> => Array.from({ length: deltas }, () => ({ text: DELTA }))
const callsOf = (calls: number): ReadonlyArray<Piece> => Array.from({ length: calls }, () => ({ call: probeArguments }))

const readText = async (pieces: ReadonlyArray<Piece>): Promise<string> => {
  let text = ""
  for await (const piece of play(pieces)) if ("text" in piece) text += piece.text
  return text
}

/** Tells what comes to one reader: at most `bound` pieces wait, later ones are dropped. */
class Mailbox implements AsyncIterableIterator<Piece, undefined> {
  readonly #bound: number
  #waiting: Array<Piece> = []
  #at = 0
  #wake: ((result: IteratorResult<Piece, undefined>) => void) | undefined
  #closed = false

  constructor(bound: number) {
    this.#bound = bound
  }

  put(piece: Piece): void {
    const wake = this.#wake
    if (wake !== undefined) {
      this.#wake = undefined
      wake({ value: piece, done: false })
    } else if (this.#waiting.length - this.#at < this.#bound) this.#waiting.push(piece)
  }

  close(): void {
    this.#closed = true
    this.#wake?.({ value: undefined, done: true })
  }

  next(): Promise<IteratorResult<Piece, undefined>> {
    const value = this.#waiting[this.#at]
    if (value !== undefined) {
      this.#at += 1
      if (this.#at === this.#waiting.length) {
        this.#waiting = []
        this.#at = 0
      }
      return Promise.resolve({ value, done: false })
    }
    if (this.#closed) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

const checked = (args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const fault = probeFault(args)
  if (fault !== undefined) throw new Error(fault)
  return args
}

const runBatch = async (pieces: ReadonlyArray<Piece>, concurrency: number, execute: Execute) => {
  const calls: Array<Readonly<Record<string, unknown>>> = []
  for await (const piece of play(pieces)) if ("call" in piece) calls.push(piece.call)
  const results: Array<string> = Array.from({ length: calls.length })
  let next = 0
  const work = async () => {
    for (let call = calls[next]; call !== undefined; call = calls[next]) {
      const index = next
      next += 1
      results[index] = await execute(checked(call))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return results
}

class Conversation {
  readonly id: string
  readonly history: Array<Line>

  constructor(id: string, history: Array<Line> = []) {
    this.id = id
    this.history = history
  }

  async run(input: string, pieces: ReadonlyArray<Piece>): Promise<void> {
    this.history.push({ role: "user", content: input })
    this.history.push({ role: "assistant", content: await readText(pieces) })
  }
}

export const bare: Subject = {
  textTurn: () => {
    const pieces = textOf(TURN_DELTAS)
    return () => readText(pieces)
  },
  textStream: () => bare.textTurn(),
  toolRounds: (rounds, execute) => {
    const asking = callsOf(1)
    const ending = textOf(1)
    return async () => {
      const history: Array<Line> = [{ role: "user", content: "Hi" }]
      for (let turn = 0; turn < rounds; turn += 1) {
        for await (const piece of play(asking)) {
          if (!("call" in piece)) continue
          history.push({ role: "assistant", content: piece })
          history.push({ role: "tool", content: await execute(checked(piece.call)) })
        }
      }
      history.push({ role: "assistant", content: await readText(ending) })
      return history
    }
  },
  toolBatch: (calls, concurrency, execute) => {
    const asking = callsOf(calls)
    const ending = textOf(1)
    return async () => {
      const results = await runBatch(asking, concurrency, execute)
      return [results, await readText(ending)]
    }
  },
  fanOut: (deltas, subscribers) => {
    const pieces = textOf(deltas)
    return async () => {
      const mailboxes = Array.from({ length: subscribers }, () => new Mailbox(deltas + 1))
      let arrived = 0
      const readers = mailboxes.map(async (mailbox) => {
        for await (const piece of mailbox) if ("text" in piece) arrived += 1
      })
      for await (const piece of play(pieces)) for (const mailbox of mailboxes) mailbox.put(piece)
      for (const mailbox of mailboxes) mailbox.close()
      await Promise.all(readers)
      return arrived
    }
  },
  stalled: (deltas, bound, attach) => async () => {
    const mailbox = new Mailbox(bound)
    let text = ""
    for (let index = 0; index < deltas; index += 1) {
      const piece = { text: `tok ${index}` }
      text += piece.text
      if (attach) mailbox.put(piece)
      if (index % 64 === 0) await Promise.resolve()
    }
    return { mailbox, text }
  },
  sessions: () => {
    const pieces = textOf(TURN_DELTAS)
    return {
      create: (id) => new Conversation(id),
      run: (session: Conversation, input) => session.run(input, pieces)
    }
  },
  longSession: (messages) => {
    const pieces = textOf(TURN_DELTAS)
    const history = Array.from({ length: messages }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `message ${index} with some words in it`
    }))
    const session = new Conversation("long", history)
    return async () => {
      const request = [...session.history, { role: "user", content: "Hi" }]
      await session.run("Hi", pieces)
      return request.length
    }
  }
}
