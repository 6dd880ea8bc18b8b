/** Text cut to a number of lines and bytes, from its head or its tail, and how sizes are written. */
import { CodingToolsLimits } from "../CodingToolsLimits.ts"

/** What was kept of a text and what there was of it. */
export interface TruncationResult {
  /** What is shown, without the line end at a cut. */
  content: string
  truncated: boolean
  truncatedBy: "lines" | "bytes" | null
  totalLines: number
  /** `false`: `totalLines` is a lower bound. */
  totalLinesKnown?: boolean
  totalBytes: number
  /** `false`: `totalBytes` is a lower bound. */
  totalBytesKnown?: boolean
  outputLines: number
  outputBytes: number
  /** The last line alone was too long, and its end is shown. Tail only. */
  lastLinePartial: boolean
  /** The first line alone was too long, and nothing is shown. Head only. */
  firstLineExceedsLimit: boolean
  maxLines: number
  maxBytes: number
}

interface TruncationOptions {
  maxLines?: number
  maxBytes?: number
}

/** `nB` below 1 KiB, `x.yKB` below 1 MiB, else `x.yMB`. */
export const formatSize = (bytes: number): string => {
  if (bytes < 1024) return `${bytes}B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)}KB`
  return `${(bytes / (1024 * 1024)).toFixed(1)}MB`
}

/**
 * The first lines, whole, at most `maxLines` of them and `maxBytes` bytes with their line ends. A line feed at the end
 * opens one more, empty, line. Nothing is kept where the first line alone is too long.
 */
export const truncateHead = (content: string, options: TruncationOptions = {}): TruncationResult => {
  const { maxLines, maxBytes } = bounds(options)
  const totalBytes = Buffer.byteLength(content)
  const totalLines = countLineFeeds(content) + 1
  const whole = { content, totalLines, totalBytes, maxLines, maxBytes }
  if (totalLines <= maxLines && totalBytes <= maxBytes) return untruncated(whole)
  let [end, bytes, outputLines] = [0, 0, 0]
  while (outputLines < maxLines) {
    const next = content.indexOf("\n", end) + 1 || content.length
    // A text has at least as many bytes as code units: a line too long by these is not measured.
    bytes += next - end > maxBytes ? maxBytes + 1 : Buffer.byteLength(content.slice(end, next))
    if (bytes > maxBytes) break
    end = next
    outputLines++
  }
  return {
    ...cut(whole, content.slice(0, Math.max(0, end - 1)), outputLines, bytes > maxBytes ? "bytes" : "lines"),
    firstLineExceedsLimit: outputLines === 0
  }
}

/**
 * The last lines, whole, at most `maxLines` of them and `maxBytes` bytes. A line feed at the end opens no line. Where the
 * last line alone is too long, its end is kept, from the border of a character.
 */
export const truncateTail = (content: string, options: TruncationOptions = {}): TruncationResult => {
  const { maxLines, maxBytes } = bounds(options)
  const totalBytes = Buffer.byteLength(content)
  const last = content.endsWith("\n") ? content.length - 1 : content.length
  const totalLines = content === "" ? 0 : countLineFeeds(content) + (last === content.length ? 1 : 0)
  const whole = { content, totalLines, totalBytes, maxLines, maxBytes }
  if (totalLines <= maxLines && totalBytes <= maxBytes) return untruncated(whole)
  let [start, bytes, outputLines] = [last + 1, -1, 0]
  while (outputLines < maxLines && start > 0) {
    // With an index of -1, `lastIndexOf` would look at the first character.
    const previous = start < 2 ? 0 : content.lastIndexOf("\n", start - 2) + 1
    const line = start - 1 - previous
    bytes += 1 + (line > maxBytes ? maxBytes : Buffer.byteLength(content.slice(previous, start - 1)))
    if (line > maxBytes || bytes > maxBytes) {
      bytes = maxBytes + 1
      break
    }
    start = previous
    outputLines++
  }
  if (outputLines > 0) {
    // Where every line fits, it was the last line end that did not.
    return cut(whole, content.slice(start, last), outputLines, bytes > maxBytes || start === 0 ? "bytes" : "lines")
  }
  const lineEnd = endOf(content.slice(Math.max(0, last - maxBytes), last), maxBytes)
  return { ...cut(whole, lineEnd, 1, "bytes"), lastLinePartial: true }
}

const bounds = ({
  maxLines = CodingToolsLimits.maxLines.default,
  maxBytes = CodingToolsLimits.maxBytes.default
}: TruncationOptions) => ({ maxLines, maxBytes })

type Whole = Pick<TruncationResult, "content" | "totalLines" | "totalBytes" | "maxLines" | "maxBytes">

const untruncated = (whole: Whole): TruncationResult => ({
  ...whole,
  truncated: false,
  truncatedBy: null,
  outputLines: whole.totalLines,
  outputBytes: whole.totalBytes,
  lastLinePartial: false,
  firstLineExceedsLimit: false
})

const cut = (whole: Whole, content: string, outputLines: number, by: "lines" | "bytes"): TruncationResult => ({
  ...untruncated(whole),
  content,
  truncated: true,
  truncatedBy: by,
  outputLines,
  outputBytes: Buffer.byteLength(content)
})

const countLineFeeds = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++
  return count
}

/** The last bytes of a text, at most `maxBytes`, from the border of a character. */
const endOf = (text: string, maxBytes: number): string => {
  const bytes = Buffer.from(text)
  let start = Math.max(0, bytes.length - maxBytes)
  // Bytes 10xxxxxx continue a character.
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return bytes.toString("utf8", start)
}
