/** An output of a command in a test: keeps what it is given, as long as its reader reads. */
import { Writable } from "node:stream"

/** A PassThrough cannot fail a write, nor keep one waiting beyond its own buffer. */
export class Sink extends Writable {
  text = ""
  /** Set by a test: the error of every further write, as of a reader that left. */
  refusal: NodeJS.ErrnoException | undefined
  #isStalled = false
  #pending: (() => void) | undefined

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.refusal !== undefined) return done(this.refusal)
    this.text += chunk.toString()
    if (this.#isStalled) this.#pending = done
    else done()
  }

  /** The reader stops reading: the write under way is not answered, later ones queue up. */
  stall(): void {
    this.#isStalled = true
  }

  resume(): void {
    this.#isStalled = false
    this.#pending?.()
  }

  get lines(): ReadonlyArray<unknown> {
    return this.text.split("\n").flatMap((line): ReadonlyArray<unknown> => (line === "" ? [] : [JSON.parse(line)]))
  }
}

export const systemError = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`write ${code}`), { code })
