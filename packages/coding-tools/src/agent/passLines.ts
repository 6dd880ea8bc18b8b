/** Line ends in bytes, counted about as fast as they can be read, whatever the lines are like. */

export interface PassedLines {
  readonly lines: number
  /** Behind the last line end that was passed. */
  readonly end: number
}

const LINE_FEED = 10

/** Passes up to `wanted` line ends. */
export const passLines = (bytes: Uint8Array, wanted: number): PassedLines => {
  const lines = countLineFeeds(bytes)
  if (lines <= wanted) return { lines, end: bytes.lastIndexOf(LINE_FEED) + 1 }
  let end = 0
  for (let passed = 0; passed < wanted; passed++) end = bytes.indexOf(LINE_FEED, end) + 1
  return { lines: wanted, end }
}

/** Four bytes at a time: a search for each line is slow where lines are short, a look at each byte where they are long. */
const countLineFeeds = (bytes: Uint8Array): number => {
  if (bytes.length < 4) return countOneByOne(bytes)
  const head = (4 - (bytes.byteOffset % 4)) % 4
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >>> 2)
  return (
    countOneByOne(bytes.subarray(0, head)) +
    countInWords(words) +
    countOneByOne(bytes.subarray(head + 4 * words.length))
  )
}

const countOneByOne = (bytes: Uint8Array): number => {
  let count = 0
  for (const byte of bytes) if (byte === LINE_FEED) count++
  return count
}

/** The most that each byte of a sum can take. */
const WORDS_PER_SUM = 255

const countInWords = (words: Int32Array): number => {
  let count = 0
  for (let at = 0; at < words.length;) {
    const end = Math.min(at + WORDS_PER_SUM, words.length)
    let sum = 0
    for (; at < end; at++) {
      // A line feed becomes 0, a byte of 0 becomes 1 in the sum, any other byte 0; no byte carries into the next.
      const word = (words[at] ?? 0) ^ 0x0a0a0a0a
      sum = (sum + (~(((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word | 0x7f7f7f7f) >>> 7)) | 0
    }
    count += (sum & 0xff) + ((sum >>> 8) & 0xff) + ((sum >>> 16) & 0xff) + (sum >>> 24)
  }
  return count
}
