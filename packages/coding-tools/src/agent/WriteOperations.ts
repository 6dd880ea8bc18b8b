/** What the `write` tool writes with: the local file system, or what a host puts in its place. */
import { mkdir } from "node:fs/promises"
import { writeAtomically } from "./writeAtomically.ts"

/** A backend of the `write` tool. It replaces the local one whole; a rejection becomes an error result. */
export interface WriteOperations {
  /** Creates the file or replaces its content. `content` has at most `maxBytes` bytes of UTF-8. */
  writeFile(path: string, content: string, options?: { maxBytes: number; signal?: AbortSignal }): Promise<void>
  /** Creates a directory and those above it; one that exists is no error. */
  mkdir(dir: string, options?: { signal?: AbortSignal }): Promise<void>
}

/** Writes in one step, through links, and keeps permission bits. */
export const localWriteOperations: WriteOperations = {
  writeFile: (path, content, options) => writeAtomically(path, content, options?.signal),
  mkdir: async (dir) => {
    await mkdir(dir, { recursive: true })
  }
}
