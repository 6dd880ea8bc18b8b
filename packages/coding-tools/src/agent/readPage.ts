/** A page of text, with a line that says how to go on. */
import type { ToolExecutionContext, ToolResult } from "@arnilo/prism-core"
import { passLines } from "./passLines.ts"
import type { ReadTextOptions, ReadTextResult } from "./ReadOperations.ts"
import { callOperation, type ReadSettings } from "./ReadSettings.ts"
import { textResult, throwIfAborted, ToolFailure } from "./results.ts"
import { formatSize, type TruncationResult } from "./truncate.ts"

/** Lines that a call asks for. */
export interface ReadRange {
  readonly offset: number | undefined
  readonly limit: number | undefined
}

export const readPage = async (
  name: string,
  path: string,
  { offset = 1, limit }: ReadRange,
  { operations, maxLines, maxBytes, maxScanBytes }: ReadSettings,
  context: ToolExecutionContext
): Promise<ToolResult> => {
  const { signal } = context
  const options: ReadTextOptions = {
    offset,
    ...(limit !== undefined && { limit }),
    maxLines,
    maxBytes,
    maxScanBytes,
    ...(signal !== undefined && { signal })
  }
  const page = await callOperation(operations, "readText", signal, (on) => on.readText(path, options))
  throwIfAborted(signal)
  assertWithinBounds(page, options)
  const content = page.hasMore && page.content.endsWith("\n") ? page.content.slice(0, -1) : page.content
  return textResult(name, context, withFooter(path, content, page, maxBytes), {
    truncation: truncationOf(content, page, options),
    scannedBytes: page.scannedBytes
  })
}

const assertWithinBounds = (page: ReadTextResult, { limit, maxLines, maxBytes }: ReadTextOptions): void => {
  if (typeof page?.content !== "string") throw new ToolFailure("ReadOperations.readText returned no content")
  const bytes = Buffer.from(page.content)
  const asked = Math.min(limit ?? maxLines, maxLines)
  const { lines, end } = passLines(bytes, Infinity)
  if (bytes.length <= maxBytes && lines + (end < bytes.length ? 1 : 0) <= asked && page.outputLines <= asked) return
  throw new ToolFailure("ReadOperations.readText returned data beyond the requested bounds")
}

/** A page to the end of the file is its bytes and nothing else. */
const withFooter = (path: string, content: string, page: ReadTextResult, maxBytes: number): string => {
  const { startLine, hasMore, truncatedBy, totalLines } = page
  const size = formatSize(maxBytes)
  if (page.firstLineExceedsLimit) {
    const command = `sed -n '${startLine}p' ${quoted(path)} | head -c ${maxBytes}`
    return `[Line ${startLine} exceeds ${size} limit. Use the shell tool: ${command}]`
  }
  if (!hasMore) return content
  const next = page.nextOffset ?? startLine + page.outputLines
  const last = startLine + page.outputLines - 1
  const advice = `Use offset=${next} to continue.`
  if (truncatedBy === null && totalLines !== undefined) {
    return `${content}\n\n[${totalLines - last} more lines in file. ${advice}]`
  }
  const ofTotal = totalLines === undefined ? "" : ` of ${totalLines}`
  const bySize = truncatedBy === "bytes" ? ` (${size} limit)` : ""
  return `${content}\n\n[Showing lines ${startLine}-${last}${ofTotal}${bySize}. ${advice}]`
}

const quoted = (path: string): string =>
  /^[A-Za-z0-9_./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`

const truncationOf = (
  content: string,
  page: ReadTextResult,
  { maxLines, maxBytes }: ReadTextOptions
): TruncationResult => {
  const outputBytes = Buffer.byteLength(content)
  return {
    content,
    truncated: page.truncatedBy !== null || page.firstLineExceedsLimit,
    truncatedBy: page.truncatedBy,
    totalLines: page.totalLines ?? page.startLine + page.outputLines,
    totalLinesKnown: page.totalLines !== undefined,
    totalBytes: page.totalBytes ?? Math.max(page.scannedBytes, outputBytes),
    totalBytesKnown: page.totalBytes !== undefined,
    outputLines: page.outputLines,
    outputBytes,
    lastLinePartial: false,
    firstLineExceedsLimit: page.firstLineExceedsLimit,
    maxLines,
    maxBytes
  }
}
