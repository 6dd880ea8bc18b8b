/** The bytes of an open file, block by block, up to a cap. */
import type { OpenFile } from "./openRegularFile.ts"
import { throwIfAborted } from "./results.ts"

const BLOCK_BYTES = 64 * 1024
/** As many as are asked for at once where they will surely be wanted: one round trip instead of four. */
const BLOCKS_AHEAD = 4

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
  /** Two sets: one is looked at while the other is filled. */
  readonly #buffers: readonly [Array<Buffer>, Array<Buffer>] = [[], []]
  #turn: 0 | 1 = 0
  #ready: Array<Buffer> = []
  #ahead: Promise<Array<Buffer>> | undefined
  /** Where what has been read ends. */
  #readTo: number
  /** Where the next block starts. */
  position: number
  /** The last block reached the end of the file. */
  atEnd = false

  constructor(file: OpenFile, span: Span) {
    this.#file = file
    this.#span = span
    this.#size = Number(file.stats.size)
    this.#readTo = span.from
    this.position = span.from
  }

  get scannedBytes(): number {
    return this.position - this.#span.from
  }

  /**
   * The next block, whose bytes hold until the call after it; nothing at the end of the file, or of the scan, where
   * `atEnd` stays false. `surely` says how many bytes behind a block will be wanted whatever they are: they are read
   * meanwhile.
   */
  async next(surely: (block: Buffer) => number = () => 0): Promise<Buffer | undefined> {
    throwIfAborted(this.#span.signal)
    if (this.atEnd) return undefined
    if (this.#ready.length === 0) {
      this.#ready = await (this.#ahead ?? this.#read(1))
      this.#ahead = undefined
    }
    const block = this.#ready.shift()
    if (block === undefined) {
      this.atEnd = this.#room > 0 || (await this.#isEnd())
      return undefined
    }
    this.position += block.length
    // Files of /proc say that they have no size; they end where nothing more is read.
    this.atEnd = this.#size > 0 && this.position >= this.#size
    const blocks = Math.floor((this.position + surely(block) - this.#readTo) / BLOCK_BYTES)
    if (blocks > 0 && !this.atEnd && this.#ahead === undefined) this.#ahead = this.#read(Math.min(blocks, BLOCKS_AHEAD))
    return block
  }

  /** Waits for what is being read, so that the file can be closed. */
  async settle(): Promise<void> {
    await this.#ahead?.catch(() => undefined)
  }

  /** What may still be read. */
  get #room(): number {
    return this.#span.maxScanBytes - (this.#readTo - this.#span.from)
  }

  /** Up to `count` blocks; none at the end of the file or of the scan. */
  async #read(count: number): Promise<Array<Buffer>> {
    this.#turn = this.#turn === 0 ? 1 : 0
    const set = this.#buffers[this.#turn]
    while (set.length < count) set.push(Buffer.allocUnsafe(BLOCK_BYTES))
    const room = this.#room
    const targets = set
      .slice(0, count)
      .map((buffer, at) => buffer.subarray(0, Math.max(0, room - at * BLOCK_BYTES)))
      .filter((buffer) => buffer.length > 0)
    if (targets.length === 0) return []
    const { bytesRead } = await this.#file.handle.readv(targets, this.#readTo)
    this.#readTo += bytesRead
    return targets
      .map((buffer, at) => buffer.subarray(0, Math.max(0, bytesRead - at * BLOCK_BYTES)))
      .filter((buffer) => buffer.length > 0)
  }

  /** A file of exactly the cap is at its end, and one byte more tells. */
  async #isEnd(): Promise<boolean> {
    const { bytesRead } = await this.#file.handle.read(Buffer.alloc(1), 0, 1, this.position)
    return bytesRead === 0
  }
}
