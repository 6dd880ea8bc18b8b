/** Texts as edits compare them exactly: without a byte order mark, every CRLF an LF. A lone CR is content. */
import { unchangedText, type MappedText } from "./MappedText.ts"

const BYTE_ORDER_MARK = "\uFEFF"

/** How many code units the byte order mark of a text takes. A second one is content. */
export const byteOrderMarkLength = (text: string): number => (text.startsWith(BYTE_ORDER_MARK) ? 1 : 0)

export const withLineFeeds = (text: string): string => text.replaceAll("\r\n", "\n")

/** The line end of the first line of a text; LF where there is none. */
export const firstLineEnd = (text: string): "\n" | "\r\n" => {
  const lineFeed = text.indexOf("\n")
  return lineFeed > 0 && text[lineFeed - 1] === "\r" ? "\r\n" : "\n"
}

/** A file's text with line feeds, and the way back. */
export const mapLineFeeds = (file: string): MappedText => {
  const mark = byteOrderMarkLength(file)
  const first = file.indexOf("\r\n", mark)
  if (first < 0 && mark === 0) return unchangedText(file)
  /** Where each line feed that was a CRLF is in the new text. A file may have one on each line, so they are kept small. */
  const lineFeeds: Array<number> = []
  for (let at = first; at >= 0; at = file.indexOf("\r\n", at + 2)) lineFeeds.push(at - mark - lineFeeds.length)
  const before = (offset: number): number => mark + countBelow(lineFeeds, offset)
  return {
    text: withLineFeeds(file.slice(mark)),
    startOf: (offset) => offset + before(offset),
    endOf: (offset) => offset + before(offset),
    isWithinPiece: () => false
  }
}

/** How many of some rising numbers are below another. */
const countBelow = (rising: ReadonlyArray<number>, limit: number): number => {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rising[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
