/** The bytes of an open file, block by block, up to a cap. */
import type { OpenFile } from "./openRegularFile.ts"
import { throwIfAborted } from "./results.ts"

/** As much as is held of a file at a time, besides the page; two of them while one is read ahead. */
export const BLOCK_BYTES = 64 * 1024

interface Span {
  /** Where the first block starts, in bytes. */
  readonly from: number
  readonly maxScanBytes: number
  readonly signal?: AbortSignal | undefined
}

export class FileBlocks {
  readonly #file: OpenFile
  readonly #span: Span
  readonly #size: number
  readonly #buffers: Array<Buffer> = []
  #turn = 0
  #ahead: Promise<Buffer> | undefined
  /** Where the next block starts. */
  position: number
  /** The last block reached the end of the file. */
  atEnd = false

  constructor(file: OpenFile, span: Span) {
    this.#file = file
    this.#span = span
    this.#size = Number(file.stats.size)
    this.position = span.from
  }

  get scannedBytes(): number {
    return this.position - this.#span.from
  }

  /**
   * The next block, whose bytes hold until the next call; nothing at the end of the file, or of the scan, where
   * `atEnd` stays false. With `more` the caller will surely want the block after it, which is then read meanwhile.
   */
  async next(more: (block: Buffer) => boolean = () => false): Promise<Buffer | undefined> {
    throwIfAborted(this.#span.signal)
    if (this.atEnd) return undefined
    const block = await (this.#ahead ?? this.#read())
    this.#ahead = undefined
    if (block.length === 0) {
      this.atEnd = this.#room > 0 || (await this.#isEnd())
      return undefined
    }
    this.position += block.length
    // Files of /proc say that they have no size; they end where nothing more is read.
    this.atEnd = this.#size > 0 && this.position >= this.#size
    if (!this.atEnd && more(block)) this.#ahead = this.#read()
    return block
  }

  /** Waits for what is being read, so that the file can be closed. */
  async settle(): Promise<void> {
    await this.#ahead?.catch(() => undefined)
  }

  get #room(): number {
    return Math.min(BLOCK_BYTES, this.#span.maxScanBytes - this.scannedBytes)
  }

  async #read(): Promise<Buffer> {
    this.#turn = 1 - this.#turn
    const buffer = (this.#buffers[this.#turn] ??= Buffer.allocUnsafe(BLOCK_BYTES))
    const room = this.#room
    if (room === 0) return buffer.subarray(0, 0)
    const { bytesRead } = await this.#file.handle.read(buffer, 0, room, this.position)
    return buffer.subarray(0, bytesRead)
  }

  /** A file of exactly the cap is at its end, and one byte more tells. */
  async #isEnd(): Promise<boolean> {
    const { bytesRead } = await this.#file.handle.read(Buffer.alloc(1), 0, 1, this.position)
    return bytesRead === 0
  }
}
