/** The last bytes of a stream. */
export class TextTail {
  #tail: Buffer = Buffer.alloc(0)
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  add(chunk: Buffer): void {
    const whole = chunk.length >= this.#maxBytes ? chunk : Buffer.concat([this.#tail, chunk])
    // Copied: a view would keep the whole chunk alive.
    this.#tail = Buffer.from(whole.subarray(Math.max(whole.length - this.#maxBytes, 0)))
  }

  /** Decoded; a code point whose start was cut off is left out. */
  get text(): string {
    let start = 0
    while (start < 4 && ((this.#tail[start] ?? 0) & 0xc0) === 0x80) start++
    return this.#tail.toString("utf8", start)
  }
}
