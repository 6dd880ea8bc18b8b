/** A terminal that questions are asked at: one at a time, each answered by a line that was typed after it was shown. */
import { setImmediate } from "node:timers/promises"
import type { Readable, Writable } from "node:stream"

export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean | undefined }
  readonly output: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }
}

/** Somebody may be there: both are terminals, and open. */
export const isAttended = ({ input, output }: Terminal): boolean =>
  input.isTTY === true && output.isTTY === true && input.readable && output.writable

/** Signs of an answer; more is none. */
const MAX_ANSWER_LENGTH = 100

/** The end of the last turn at each input: two policies may share a terminal. */
const turns = new WeakMap<Readable, Promise<unknown>>()

/** Runs `work` when everybody before has had their turn. A signal that aborts before ends the wait, with undefined. */
export const takeTurn = <A>(
  { input }: Terminal,
  signal: AbortSignal | undefined,
  work: () => Promise<A>
): Promise<A | undefined> =>
  new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined)
    if (signal?.aborted === true) return leave()
    signal?.addEventListener("abort", leave, { once: true })
    const turn = (turns.get(input) ?? Promise.resolve())
      .then(() => (signal?.aborted === true ? undefined : work()))
      .finally(() => signal?.removeEventListener("abort", leave))
    turns.set(
      input,
      turn.catch(() => undefined)
    )
    turn.then(resolve, reject)
  })

/** Resolves once the text is written, with false if it could not be: whoever was there has left. */
export const tell = (output: Writable, text: string): Promise<boolean> =>
  new Promise((resolve) => {
    const fail = (): void => resolve(false)
    output.on("error", fail)
    output.write(text, (problem) => {
      // A stream reports its error once more behind this.
      void setImmediate().then(() => {
        output.off("error", fail)
        resolve(problem === undefined || problem === null)
      })
    })
  })

/**
 * The line that answers `question`, without its end; undefined at the end of the input, on abort, and for a line too long.
 * What was typed before the question stood there is dropped, and so is what follows the line. The input is left as it was
 * found: no listener, no mode, and paused unless somebody else was reading it.
 */
export const askLine = async (
  { input, output }: Terminal,
  question: string,
  signal: AbortSignal | undefined
): Promise<string | undefined> => {
  const lines = listen(input, signal)
  try {
    await lines.discard()
    if (lines.isOver()) return undefined
    const isShown = await tell(output, question)
    return isShown ? await lines.next() : undefined
  } finally {
    lines.release()
  }
}

const listen = (input: Readable, signal: AbortSignal | undefined) => {
  const wasFlowing = input.readableFlowing === true
  let text = ""
  let pieces = 0
  let isOver = signal?.aborted === true
  let wake: (() => void) | undefined
  const onData = (piece: Buffer | string): void => {
    pieces++
    if (text.length <= MAX_ANSWER_LENGTH) text += piece.toString()
    wake?.()
  }
  const onEnd = (): void => {
    isOver = true
    wake?.()
  }
  const ends = ["end", "close", "error"] as const
  for (const end of ends) input.on(end, onEnd)
  signal?.addEventListener("abort", onEnd)
  input.on("data", onData)
  input.resume()
  /** Until nothing has come for a few turns of the event loop: a line that waits in the terminal comes in the next one. */
  const discard = async (quiet = 0): Promise<void> => {
    const before = pieces
    await setImmediate()
    text = ""
    if (isOver || quiet === 3) return
    return discard(pieces === before ? quiet + 1 : 0)
  }
  const next = async (): Promise<string | undefined> => {
    const line = /^[^\r\n]*(?=[\r\n])/.exec(text)?.[0]
    if (line !== undefined && line.length <= MAX_ANSWER_LENGTH) return isOver ? undefined : line
    if (isOver || text.length > MAX_ANSWER_LENGTH) return undefined
    await new Promise<void>((resolve) => (wake = resolve))
    return next()
  }
  const release = (): void => {
    input.off("data", onData)
    for (const end of ends) input.off(end, onEnd)
    signal?.removeEventListener("abort", onEnd)
    if (!wasFlowing) input.pause()
  }
  return { discard, next, release, isOver: () => isOver }
}
