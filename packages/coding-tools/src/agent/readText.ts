/** One page of a text file, found by reading block after block; the file is never held. */
import { isUtf8 } from "node:buffer"
import { FileBlocks } from "./FileBlocks.ts"
import { dropLineStarts, identityOf, keepLineStarts, nearestLineStart, type LineStart } from "./LineIndex.ts"
import { openRegularFile, type OpenFile } from "./openRegularFile.ts"
import { passLines } from "./passLines.ts"
import type { ReadTextOptions, ReadTextResult } from "./ReadOperations.ts"
import { throwIfAborted, ToolFailure } from "./results.ts"
import { formatSize } from "./truncate.ts"

const LINE_FEED = 10

/**
 * Lines end at LF, and an LF at the end of the file opens one more, empty, line. The search starts at the nearest line
 * start that earlier reads of the unchanged file have left. Throws `ToolFailure` where the page does not exist or lies
 * beyond `maxScanBytes`.
 */
export const readText = async (path: string, options: ReadTextOptions): Promise<ReadTextResult> => {
  throwIfAborted(options.signal)
  const file = await openRegularFile(path)
  try {
    const identity = identityOf(file.stats)
    const from = await startingPoint(file, path, identity, options.offset)
    const blocks = new FileBlocks(file, { from: from.byte, ...options })
    try {
      const sought = await seek(blocks, from, options)
      const { result, next } = toResult(blocks, await gather(blocks, sought, options), options)
      const isUnchanged = identity === identityOf(await file.handle.stat({ bigint: true }))
      // Files of /proc have no size, and no other mark of a change.
      if (isUnchanged && file.stats.size > 0n) keepLineStarts(path, identity, sought.starts, next)
      return result
    } finally {
      await blocks.settle()
    }
  } finally {
    await file.handle.close()
  }
}

/** File times are coarse: a line start that has no line end before it belongs to a file that has changed unnoticed. */
const startingPoint = async (file: OpenFile, path: string, identity: string, line: number): Promise<LineStart> => {
  const start = nearestLineStart(path, identity, line)
  if (start.byte === 0) return start
  const { bytesRead, buffer } = await file.handle.read(Buffer.alloc(1), 0, 1, start.byte - 1)
  if (bytesRead === 1 && buffer[0] === LINE_FEED) return start
  dropLineStarts(path)
  return nearestLineStart(path, identity, line)
}

interface Sought {
  /** Where the page starts. */
  readonly page: LineStart
  /** What has been read from there on. */
  readonly read: Buffer
  /** One line start for each block that was passed. */
  readonly starts: ReadonlyArray<LineStart>
}

const seek = async (
  blocks: FileBlocks,
  from: LineStart,
  { offset, maxScanBytes }: ReadTextOptions
): Promise<Sought> => {
  const starts: Array<LineStart> = []
  let page = from
  let read: Buffer = Buffer.alloc(0)
  while (page.line < offset) {
    const missing = offset - page.line
    // A line has at least the byte that ends it.
    // oxlint-disable-next-line no-await-in-loop -- one block after the other
    const block = await blocks.next((next) => missing - next.length)
    if (block === undefined) {
      throw blocks.atEnd
        ? new ToolFailure(`Offset ${offset} is beyond end of file (${page.line} lines total)`)
        : scanLimitReached(maxScanBytes)
    }
    const { lines, end } = passLines(block, missing)
    if (lines > 0) {
      page = { line: page.line + lines, byte: blocks.position - block.length + end }
      starts.push(page)
    }
    read = block.subarray(end)
  }
  return { page, read, starts }
}

const scanLimitReached = (maxScanBytes: number): ToolFailure =>
  new ToolFailure(`Text read exceeded ${formatSize(maxScanBytes)} scan limit before reaching the requested page`)

interface Gathered {
  readonly page: LineStart
  /** At most one byte more than the page may have. */
  readonly bytes: Buffer
  readonly lineFeeds: number
  readonly endedBy: "lines" | "bytes" | "file" | "scan"
  /** What has been read behind the page. */
  readonly rest: Buffer
}

/** The bytes of the page, from its first line on. */
const gather = async (blocks: FileBlocks, { page, read }: Sought, options: ReadTextOptions): Promise<Gathered> => {
  const parts: Array<Buffer> = []
  const wanted = Math.min(options.limit ?? options.maxLines, options.maxLines)
  let [size, lineFeeds] = [0, 0]
  let rest: Buffer = Buffer.alloc(0)
  let endedBy: Gathered["endedBy"] | undefined
  // oxlint-disable-next-line no-await-in-loop -- one block after the other
  for (let block: Buffer | undefined = read; block !== undefined; block = await blocks.next()) {
    const passed = passLines(block, wanted - lineFeeds)
    lineFeeds += passed.lines
    const used = lineFeeds === wanted ? passed.end : block.length
    // Copied, since the next block may take the place of this one.
    parts.push(Buffer.from(block.subarray(0, Math.min(used, options.maxBytes + 1 - size))))
    size += used
    rest = block.subarray(used)
    if (size > options.maxBytes) endedBy = "bytes"
    else if (lineFeeds === wanted) endedBy = "lines"
    if (endedBy !== undefined) break
  }
  return { page, bytes: Buffer.concat(parts), lineFeeds, endedBy: endedBy ?? (blocks.atEnd ? "file" : "scan"), rest }
}

interface Page {
  readonly result: ReadTextResult
  /** Where the page behind it starts; where it starts itself if there is none. */
  readonly next: LineStart
}

const toResult = (blocks: FileBlocks, gathered: Gathered, options: ReadTextOptions): Page => {
  const { page, bytes, rest } = gathered
  const fitting = fittingLength(bytes, options.maxBytes)
  const endedBy = fitting < bytes.length ? "bytes" : gathered.endedBy
  const length = endedBy === "scan" ? bytes.lastIndexOf(LINE_FEED) + 1 : fitting
  if (endedBy === "scan" && length === 0) throw scanLimitReached(options.maxScanBytes)
  const shown = bytes.subarray(0, length)
  const outputLines = passLines(shown, Infinity).lines + (endedBy === "file" ? 1 : 0)
  const hasMore = endedBy !== "file"
  const startLine = page.line
  // Behind a page that was cut by bytes, the lines are not counted.
  const rests = endedBy === "lines" ? passLines(rest, Infinity).lines + 1 : 0
  const total = blocks.atEnd && (endedBy === "lines" || endedBy === "file")
  return {
    next: hasMore ? { line: startLine + outputLines, byte: page.byte + length } : page,
    result: {
      content: shown.toString("utf8"),
      startLine,
      outputLines,
      hasMore,
      ...(outputLines > 0 && hasMore && { nextOffset: startLine + outputLines }),
      truncatedBy: truncatedBy(endedBy, options),
      firstLineExceedsLimit: outputLines === 0,
      scannedBytes: blocks.scannedBytes,
      ...(total && { totalLines: startLine - 1 + outputLines + rests, totalBytes: blocks.position })
    }
  }
}

/** A page that has as many lines as were asked for is not truncated. */
const truncatedBy = (endedBy: Gathered["endedBy"], { limit, maxLines }: ReadTextOptions): "lines" | "bytes" | null => {
  if (endedBy === "bytes") return "bytes"
  return endedBy === "lines" && (limit === undefined || limit > maxLines) ? "lines" : null
}

/** Length of the lines that fit. Bytes that are no UTF-8 show as U+FFFD, which has three: what counts is what is shown. */
const fittingLength = (bytes: Buffer, maxBytes: number): number => {
  const isText = isUtf8(bytes)
  if (isText && bytes.length <= maxBytes) return bytes.length
  let [end, shown] = [0, 0]
  while (end < bytes.length) {
    const next = bytes.indexOf(LINE_FEED, end) + 1 || bytes.length
    shown += isText ? next - end : Buffer.byteLength(bytes.toString("utf8", end, next))
    if (shown > maxBytes) return end
    end = next
  }
  return end
}
