/** Passes bytes on so that no chunk ends inside of a character. */

const NOTHING = Buffer.alloc(0)

/** Holds back at most three bytes: a character that is not whole yet. Invalid bytes pass unchanged. */
export class Utf8Border {
  #held: Buffer = NOTHING

  push(chunk: Buffer, emit: (whole: Buffer) => void): void {
    let rest = chunk
    if (this.#held.length > 0) {
      const missing = lengthOf(this.#held[0] ?? 0) - this.#held.length
      let taken = 0
      while (taken < missing && taken < rest.length && isContinuation(rest[taken] ?? 0)) taken += 1
      const joined = Buffer.concat([this.#held, rest.subarray(0, taken)])
      rest = rest.subarray(taken)
      if (taken < missing && rest.length === 0) {
        this.#held = joined
        return
      }
      this.#held = NOTHING
      emit(joined)
    }
    const open = openTail(rest)
    if (open > 0) this.#held = Buffer.from(rest.subarray(rest.length - open))
    if (open < rest.length) emit(open === 0 ? rest : rest.subarray(0, rest.length - open))
  }

  /** What was held back, at the end of the stream. */
  flush(emit: (rest: Buffer) => void): void {
    const held = this.#held
    this.#held = NOTHING
    if (held.length > 0) emit(held)
  }
}

/** How many bytes at the end begin a character that goes on behind it. */
export const openTail = (bytes: Buffer): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (!isContinuation(byte)) return lengthOf(byte) > back ? back : 0
  }
  return 0
}

export const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

/** Bytes of the character that this byte begins; 1 for those that begin none. */
const lengthOf = (byte: number): number => {
  if (byte < 0xc2 || byte > 0xf4) return 1
  if (byte < 0xe0) return 2
  return byte < 0xf0 ? 3 : 4
}
