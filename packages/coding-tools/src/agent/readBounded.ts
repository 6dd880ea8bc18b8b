/** A whole file, unless it is too large. */
import { openRegularFile } from "./openRegularFile.ts"
import { throwIfAborted, ToolFailure } from "./results.ts"
import { formatSize } from "./truncate.ts"

interface ReadBoundedOptions {
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

/** One read at a time, so that an abort is heeded. */
const CHUNK_BYTES = 1024 * 1024

/** Never holds more than `maxBytes` and one byte, however the file grows meanwhile. Throws `ToolFailure` for more. */
export const readBounded = async (path: string, { maxBytes, signal }: ReadBoundedOptions): Promise<Buffer> => {
  throwIfAborted(signal)
  const { handle, stats } = await openRegularFile(path)
  try {
    if (stats.size > BigInt(maxBytes)) throw tooLarge(Number(stats.size), maxBytes)
    let buffer = Buffer.allocUnsafe(Number(stats.size) + 1)
    let length = 0
    while (true) {
      throwIfAborted(signal)
      // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
      const { bytesRead } = await handle.read(buffer, length, Math.min(CHUNK_BYTES, buffer.length - length), length)
      if (bytesRead === 0) return buffer.subarray(0, length)
      length += bytesRead
      if (length > maxBytes) throw tooLarge(length, maxBytes)
      if (length === buffer.length) {
        const larger = Buffer.allocUnsafe(Math.min(2 * length, maxBytes + 1))
        buffer.copy(larger)
        buffer = larger
      }
    }
  } finally {
    await handle.close()
  }
}

const tooLarge = (size: number, maxBytes: number): ToolFailure =>
  new ToolFailure(`File is ${formatSize(size)}, exceeds ${formatSize(maxBytes)} limit.`)
