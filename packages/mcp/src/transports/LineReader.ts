/** Lines out of chunks. */

const LF = 0x0a

/** Splits at LF before decoding, so that a code point is never torn. Holds at most `maxBytes` of a line. */
export class LineReader {
  #parts: Array<Buffer> = []
  #bytes = 0
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that end in `chunk`, without their ends. False once a line is longer than `maxBytes`: read no further. */
  read(chunk: Buffer, onLine: (line: string) => void): boolean {
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      if (!this.#keep(chunk.subarray(start, end))) return false
      start = end + 1
      onLine(this.#take())
    }
    return this.#keep(chunk.subarray(start))
  }

  #keep(part: Buffer): boolean {
    if (part.length === 0) return true
    this.#bytes += part.length
    if (this.#bytes > this.#maxBytes) {
      this.#parts = []
      return false
    }
    this.#parts.push(part)
    return true
  }

  #take(): string {
    const line = this.#parts.length === 1 ? (this.#parts[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    return line.toString("utf8")
  }
}
