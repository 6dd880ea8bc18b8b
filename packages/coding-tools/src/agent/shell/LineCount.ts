/** Counts of a text that is only seen in passing: lines, bytes once decoded, the length of its last line. */
import { isUtf8 } from "node:buffer"

const LF = 10

/** Takes chunks that end between characters. A line feed at the end opens no line. */
export class LineCount {
  /** UTF-8 bytes of the decoded text: invalid ones count as U+FFFD. */
  bytes = 0
  #ended = 0
  /** Of the line that has not ended, and of the one before. */
  #open = 0
  #closed = 0

  get lines(): number {
    return this.#open > 0 ? this.#ended + 1 : this.#ended
  }

  /** Bytes of the last line, without its line feed. */
  get lastLineBytes(): number {
    return this.#open > 0 ? this.#open : this.#closed
  }

  push(chunk: Buffer): void {
    const measure = isUtf8(chunk) ? plainLength : decodedLength
    this.bytes += measure(chunk)
    const last = chunk.lastIndexOf(LF)
    if (last === -1) {
      this.#open += measure(chunk)
      return
    }
    const before = last === 0 ? -1 : chunk.lastIndexOf(LF, last - 1)
    this.#closed = measure(chunk.subarray(before + 1, last)) + (before === -1 ? this.#open : 0)
    this.#open = measure(chunk.subarray(last + 1))
    this.#ended += countLineFeeds(chunk)
  }
}

const plainLength = (bytes: Buffer): number => bytes.length

const decodedLength = (bytes: Buffer): number => Buffer.byteLength(bytes.toString("utf8"))

/** A plain loop: with short lines, as floods have, it is several times faster than `indexOf`. */
const countLineFeeds = (bytes: Buffer): number => {
  let count = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) count++
  return count
}
