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

/** Four bytes at a time: with short lines, as floods have, a call of `indexOf` for each costs five times as much. */
const countLineFeeds = (bytes: Buffer): number => {
  // Up to the border of a word.
  const head = -bytes.byteOffset & 3
  if (bytes.length < head) return countSingly(bytes)
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >> 2)
  let count = countSingly(bytes.subarray(0, head)) + countSingly(bytes.subarray(head + words.byteLength))
  // Indexed: an iterator takes three times as long.
  for (let at = 0; at < words.length; at++) {
    const other = (words[at] ?? 0) ^ 0x0a0a0a0a
    // The highest bit of each byte that is a line feed; no carry leaves its byte.
    const hits = ~(((other & 0x7f7f7f7f) + 0x7f7f7f7f) | 0 | other | 0x7f7f7f7f)
    if (hits !== 0) count += Math.imul((hits >>> 7) & 0x01010101, 0x01010101) >>> 24
  }
  return count
}

const countSingly = (bytes: Buffer): number => {
  let count = 0
  for (const byte of bytes) if (byte === LF) count++
  return count
}
