/** The output of one command: its end in memory, all of it in a file once it does not fit the result. */
import { LineCount } from "./shell/LineCount.ts"
import { RollingTail } from "./shell/RollingTail.ts"
import { SpillFile } from "./shell/SpillFile.ts"
import { isContinuation, openTail, Utf8Border } from "../process/Utf8Border.ts"
import { type TruncationResult, truncateTail } from "./truncate.ts"

export interface OutputBounds {
  /** What the result shows. */
  readonly maxLines: number
  readonly maxBytes: number
  /** Raw bytes of the whole output. */
  readonly maxTotalOutputBytes: number
  readonly tempFilePrefix: string
}

/** More than a result can show, so that what is cut is known to be cut, characters at the borders included. */
const SLACK = 16
const BOM = Buffer.from("\uFEFF")

/**
 * Memory is a small multiple of `maxBytes`, whatever comes. Its owner calls `close`, and `discard` unless the file of the
 * output is handed to the host.
 */
export class OutputAccumulator {
  /** More came than `maxTotalOutputBytes`: exactly so many were taken. */
  overflowed = false
  /** The file could not be made or written. */
  storageFailed = false
  /** Raw bytes taken. */
  totalBytes = 0
  readonly #bounds: OutputBounds
  readonly #tail: RollingTail
  readonly #border = new Utf8Border()
  readonly #count = new LineCount()
  #spill: SpillFile | undefined
  #started = false

  constructor(bounds: OutputBounds) {
    this.#bounds = bounds
    this.#tail = new RollingTail(bounds.maxBytes + SLACK)
  }

  /** Takes no more after an overflow or a failure of storage. */
  append(data: Buffer): void {
    if (this.overflowed || this.storageFailed) return
    const room = this.#bounds.maxTotalOutputBytes - this.totalBytes
    this.overflowed = data.length > room
    const chunk = this.overflowed ? data.subarray(0, room) : data
    this.totalBytes += chunk.length
    this.#border.push(chunk, this.#measure)
    this.#store(chunk)
    this.#tail.push(chunk)
  }

  /** What the result shows, and what there was. A character that the overflow cut in two is left out. */
  close(): { readonly truncation: TruncationResult; readonly lastLineBytes: number } {
    if (!this.overflowed) this.#border.flush(this.#measure)
    this.#guard(() => this.#spill?.close())
    const { maxLines, maxBytes } = this.#bounds
    const shown = truncateTail(this.#text(), { maxLines, maxBytes })
    const { bytes: totalBytes, lines: totalLines, lastLineBytes } = this.#count
    return { truncation: shown.truncated ? { ...shown, totalBytes, totalLines } : shown, lastLineBytes }
  }

  /** Where all output is, if it was too much for the result. */
  get path(): string | undefined {
    return this.#spill?.path
  }

  /** Deletes the file. */
  discard(): void {
    this.#guard(() => this.#spill?.remove())
    this.#spill = undefined
  }

  readonly #measure = (chunk: Buffer): void => {
    const hasBom = !this.#started && chunk.subarray(0, BOM.length).equals(BOM)
    this.#started = true
    this.#count.push(hasBom ? chunk.subarray(BOM.length) : chunk)
  }

  #store(chunk: Buffer): void {
    this.#guard(() => {
      if (this.#spill === undefined) {
        if (!this.#isTooMuch()) return
        this.#spill = new SpillFile(this.#bounds.tempFilePrefix)
        // Until now all of it fitted the tail.
        this.#spill.write(this.#tail.bytes)
      }
      this.#spill.write(chunk)
    })
  }

  #isTooMuch(): boolean {
    const { maxLines, maxBytes } = this.#bounds
    return this.totalBytes > maxBytes || this.#count.bytes > maxBytes || this.#count.lines > maxLines
  }

  #guard(work: () => void): void {
    try {
      work()
    } catch {
      // Which error it was, the contract does not tell: the call ends as `Command output spill failed`.
      this.storageFailed = true
    }
  }

  #text(): string {
    const kept = this.#tail.bytes
    const bytes = this.overflowed ? kept.subarray(0, kept.length - openTail(kept)) : kept
    if (kept.length < this.totalBytes) {
      let start = 0
      while (start < 3 && isContinuation(bytes[start] ?? 0)) start++
      return bytes.toString("utf8", start)
    }
    return bytes.toString("utf8", bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0)
  }
}
