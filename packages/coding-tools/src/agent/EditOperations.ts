/** What the `edit` tool reads and writes with: the local file system, or what a host puts in its place. */
import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { openRegularFile } from "./openRegularFile.ts"
import { ToolFailure } from "./results.ts"
import { writeAtomically } from "./writeAtomically.ts"

/** A backend of the `edit` tool. It replaces the local one whole; a rejection becomes an error result. */
export interface EditOperations {
  /** The whole file. More than `maxBytes` bytes of a larger one are not asked for; the tool refuses what has more. */
  readFile(path: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<Buffer>
  /** Replaces the content. */
  writeFile(path: string, content: string, options?: { signal?: AbortSignal }): Promise<void>
  /** Rejects for what is not there, and for what may not be both read and written. */
  access(path: string, options?: { signal?: AbortSignal }): Promise<void>
  statFile(path: string, options?: { signal?: AbortSignal }): Promise<{ size: number }>
}

/** Regular files only, without blocking on others. Writes in one step, through links, and keeps permission bits. */
export const localEditOperations: EditOperations = {
  readFile: async (path, { maxBytes }) => {
    const { handle, stats } = await openRegularFile(path)
    try {
      // One byte more than allowed tells a file that grew from one that fits.
      const buffer = Buffer.allocUnsafe(Math.min(Number(stats.size), maxBytes) + 1)
      let length = 0
      while (length < buffer.length) {
        // oxlint-disable-next-line no-await-in-loop -- one piece after the other
        const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
        if (bytesRead === 0) break
        length += bytesRead
      }
      return buffer.subarray(0, length)
    } finally {
      await handle.close()
    }
  },
  writeFile: (path, content, options) => writeAtomically(path, content, options?.signal),
  access: (path) => access(path, constants.R_OK | constants.W_OK),
  statFile: async (path) => {
    const stats = await stat(path)
    if (!stats.isFile()) throw new ToolFailure(`${path} is not a regular file`)
    return { size: stats.size }
  }
}
