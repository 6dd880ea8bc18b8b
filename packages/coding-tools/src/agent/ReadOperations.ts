/** What the `read` tool reads with: the local file system, or what a host puts in its place. */
import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { detectSupportedImageMimeTypeFromFile } from "./images.ts"
import { readBounded } from "./readBounded.ts"
import { readText } from "./readText.ts"

export interface ReadTextOptions {
  /** The first line, counted from 1. */
  readonly offset: number
  readonly limit?: number
  readonly maxLines: number
  readonly maxBytes: number
  /** Bytes that may be read to find and fill the page. */
  readonly maxScanBytes: number
  readonly signal?: AbortSignal
}

/** One page of whole lines. */
export interface ReadTextResult {
  /** With the line end of its last line, where the file has one. */
  readonly content: string
  readonly startLine: number
  readonly outputLines: number
  readonly hasMore: boolean
  /** The line behind the page. */
  readonly nextOffset?: number
  /** `null` where the page is complete: at its limit, at the end of the file, or of what may be scanned. */
  readonly truncatedBy: "lines" | "bytes" | null
  /** The first line alone is longer than `maxBytes`; there is no content. */
  readonly firstLineExceedsLimit: boolean
  readonly scannedBytes: number
  /** Only where the end of the file was reached. */
  readonly totalLines?: number
  readonly totalBytes?: number
}

/** A backend of the `read` tool. It replaces the local one whole; a rejection becomes an error result. */
export interface ReadOperations {
  /** The whole file. Rejects for more than `maxBytes`. */
  readFile(path: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<Buffer>
  /** At most `maxBytes` bytes and `limit` or `maxLines` lines. Rejects where there is no line `offset`. */
  readText(path: string, options: ReadTextOptions): Promise<ReadTextResult>
  /** Rejects for what is not there or may not be read. */
  access(path: string, options?: { signal?: AbortSignal }): Promise<void>
  statFile(path: string, options?: { signal?: AbortSignal }): Promise<{ size: number }>
  /** The type of an image that is to be shown as one. Everything is text without it. */
  detectImageMimeType?(path: string): Promise<string | null | undefined>
}

export const localReadOperations: ReadOperations = {
  readFile: readBounded,
  readText,
  access: (path) => access(path, constants.R_OK),
  statFile: async (path) => ({ size: (await stat(path)).size }),
  detectImageMimeType: detectSupportedImageMimeTypeFromFile
}
