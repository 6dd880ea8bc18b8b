/** The last bytes of a stream, in a buffer that never grows beyond twice what is to be kept. */

const FIRST_CAPACITY = 4_096

/** Copies what it takes: a backend may use its buffers again. */
export class RollingTail {
  readonly #keep: number
  #buffer = Buffer.alloc(0)
  #length = 0

  /** `keep` is how many bytes are there at least, once so many came. */
  constructor(keep: number) {
    this.#keep = keep
  }

  /** Valid until the next `push`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  push(chunk: Buffer): void {
    const added = chunk.subarray(Math.max(0, chunk.length - this.#keep))
    if (this.#length + added.length > 2 * this.#keep || added.length < chunk.length)
      this.#dropTo(this.#keep - added.length)
    this.#reserve(this.#length + added.length)
    added.copy(this.#buffer, this.#length)
    this.#length += added.length
  }

  #dropTo(length: number): void {
    const from = Math.max(0, this.#length - length)
    this.#buffer.copyWithin(0, from, this.#length)
    this.#length -= from
  }

  #reserve(length: number): void {
    if (length <= this.#buffer.length) return
    const capacity = Math.min(2 * this.#keep, Math.max(length, 2 * this.#buffer.length, FIRST_CAPACITY))
    const grown = Buffer.allocUnsafe(capacity)
    this.bytes.copy(grown)
    this.#buffer = grown
  }
}
