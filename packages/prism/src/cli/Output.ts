/** Where the command writes: it waits while its reader lags, and knows when the reader has left. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Writable } from "node:stream"

/** Text that may wait in memory for a slow reader. Beyond it the run itself is held up. */
const MAX_WAITING_BYTES = 1_048_576

/** A write failed. `isClosed` says that the reader has left, as `head` does; else the device refused. */
export class OutputError extends Data.TaggedError("OutputError")<{
  readonly isClosed: boolean
  readonly message: string
}> {}

const CLOSED: ReadonlySet<string | undefined> = new Set([
  "EPIPE",
  "EOF",
  "ECONNRESET",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END"
])

export class Output {
  readonly #stream: Writable
  #failure: OutputError | undefined
  #room: Promise<void> | undefined

  /** Listens for errors of the stream until `release`: unheard, one would end the process. */
  constructor(stream: Writable) {
    this.#stream = stream
    stream.on("error", this.#onError)
  }

  /** Nothing is written from here on. */
  release(): void {
    this.#stream.off("error", this.#onError)
  }

  /** Pending while too much waits for the reader, absent otherwise. */
  get room(): Promise<void> | undefined {
    return this.#room
  }

  /** Takes the text at once; ends when there is room for more. */
  write(text: string): Effect.Effect<void, OutputError> {
    return Effect.suspend(() => {
      const failure = this.#refusal()
      if (failure !== undefined) return Effect.fail(failure)
      if (text === "") return Effect.void
      const isFull = !this.#stream.write(text) && this.#stream.writableLength >= MAX_WAITING_BYTES
      if (!isFull) return Effect.void
      return Effect.andThen(
        Effect.promise(() => this.#drained()),
        this.#checked
      )
    })
  }

  /** Ends when the reader's side has taken everything that was written. */
  readonly flush: Effect.Effect<void, OutputError> = Effect.suspend(() => {
    const written = Effect.callback<void>((resume) => void this.#stream.write("", () => resume(Effect.void)))
    // An error of the last write is told some ticks later, on some streams only then.
    return Effect.andThen(Effect.andThen(written, afterTicks), this.#checked)
  })

  readonly #checked: Effect.Effect<void, OutputError> = Effect.suspend(() => {
    const failure = this.#refusal()
    return failure === undefined ? Effect.void : Effect.fail(failure)
  })

  readonly #onError = (error: NodeJS.ErrnoException): void => {
    this.#failure ??= toOutputError(error)
  }

  /** Looked at before every write: the stream tells an error some ticks after it had one. */
  #refusal(): OutputError | undefined {
    const { destroyed, errored } = this.#stream
    if (this.#failure === undefined && errored !== null) this.#failure = toOutputError(errored)
    if (this.#failure === undefined && destroyed) {
      this.#failure = new OutputError({ isClosed: true, message: "Cannot write output: it is closed" })
    }
    return this.#failure
  }

  #drained(): Promise<void> {
    return (this.#room ??= new Promise((resolve) => {
      const done = (): void => {
        for (const event of ["drain", "close", "error"]) this.#stream.off(event, done)
        this.#room = undefined
        resolve()
      }
      for (const event of ["drain", "close", "error"]) this.#stream.once(event, done)
    }))
  }
}

const toOutputError = (error: NodeJS.ErrnoException): OutputError =>
  new OutputError({ isClosed: CLOSED.has(error.code), message: `Cannot write output: ${error.message}` })

const afterTicks = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
