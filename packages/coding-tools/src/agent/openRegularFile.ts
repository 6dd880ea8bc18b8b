/** A regular file, opened for reading: what it is and what is read of it belong to one handle. */
import { constants, type BigIntStats } from "node:fs"
import { open, stat, type FileHandle } from "node:fs/promises"
import { ToolFailure } from "./results.ts"

export interface OpenFile {
  /** The caller closes it. */
  readonly handle: FileHandle
  /** Of the handle, not of the path. */
  readonly stats: BigIntStats
}

/**
 * Never blocks: a FIFO without a writer is refused. Throws `ToolFailure` for anything but a regular file behind the
 * links, and the system's error for what cannot be opened.
 */
export const openRegularFile = async (path: string): Promise<OpenFile> => {
  // Looked at first, since opening a device may do something to it; and again on the handle, since that is what is read.
  if (!(await stat(path)).isFile()) throw notRegular(path)
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) throw notRegular(path)
    return { handle, stats }
  } catch (error) {
    await handle.close()
    throw error
  }
}

const notRegular = (path: string): ToolFailure => new ToolFailure(`${path} is not a regular file`)
