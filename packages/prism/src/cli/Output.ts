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
    if (this.#stream.writableLength === 0 || this.#refusal() !== undefined) return this.#checked
    const written = Effect.callback<void>((resume) => void this.#stream.write("", () => resume(Effect.void)))
    return Effect.andThen(written, this.#checked)
  })

  readonly #checked: Effect.Effect<void, OutputError> = Effect.suspend(() => {
    const failure = this.#refusal()
    return failure === undefined ? Effect.void : Effect.fail(failure)
  })

  readonly #onError = (error: NodeJS.ErrnoException): void => {
    const isClosed = CLOSED.has(error.code)
    this.#failure ??= new OutputError({ isClosed, message: `Cannot write output: ${error.message}` })
  }

  #refusal(): OutputError | undefined {
    if (this.#failure === undefined && this.#stream.destroyed) {
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
