/** Texts as edits compare them exactly: without a byte order mark, every CRLF an LF. A lone CR is content. */
import { mappedText, type MappedText } from "./MappedText.ts"

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
  const mapped = mappedText(file)
  const mark = byteOrderMarkLength(file)
  if (mark > 0) mapped.replace(0, mark, "")
  for (let at = file.indexOf("\r\n", mark); at >= 0; at = file.indexOf("\r\n", at + 2)) mapped.replace(at, at + 2, "\n")
  return mapped.build()
}
