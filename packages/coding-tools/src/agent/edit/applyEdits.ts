/** Puts new texts in the place of spans. Every byte outside them stays. */
import { isAscii, isUtf8 } from "node:buffer"
import { ToolFailure } from "../results.ts"
import { findEdits, type EditSpan, type EditTarget } from "./findEdits.ts"
import { firstLineEnd, withLineFeeds } from "./lineFeeds.ts"
import type { Edit } from "./parseEdits.ts"

/** What edits made of a file. Both texts encode to the bytes of their file. */
export interface EditedText {
  readonly oldText: string
  readonly newText: string
  /** In the old text, in its order, with what is there now. */
  readonly spans: ReadonlyArray<EditSpan>
}

/**
 * Finds and replaces in the bytes of a file. Throws `ToolFailure` where an edit does not have one place, the file is not
 * UTF-8, or nothing would change.
 */
export const applyEdits = (path: string, bytes: Buffer, edits: ReadonlyArray<Edit>): EditedText => {
  // Only then do the bytes and the text say the same, and every border between characters is one between bytes.
  if (!isUtf8(bytes)) throw new ToolFailure(`Could not edit file: ${path}. It is not valid UTF-8.`)
  const ascii = isAscii(bytes)
  const target: EditTarget = { path, text: bytes.toString(ascii ? "latin1" : "utf8"), isAscii: ascii }
  const lineEnd = firstLineEnd(target.text)
  const spans = findEdits(target, edits).map(({ index, start, end, newText: inserted }) => ({
    index,
    start,
    end,
    newText: withLineEnds(inserted, lineEnd)
  }))
  const newText = replaceSpans(target.text, spans)
  if (newText === target.text) {
    const subject = edits.length === 1 ? "replacement" : "replacements"
    throw new ToolFailure(`No changes made to ${path}. The ${subject} produced identical content.`)
  }
  return { oldText: target.text, newText, spans }
}

const withLineEnds = (text: string, lineEnd: "\n" | "\r\n"): string => {
  const plain = withLineFeeds(text)
  return lineEnd === "\n" ? plain : plain.replaceAll("\n", lineEnd)
}

const replaceSpans = (text: string, spans: ReadonlyArray<EditSpan>): string => {
  const parts: Array<string> = []
  let taken = 0
  for (const { start, end, newText } of spans) {
    parts.push(text.slice(taken, start), newText)
    taken = end
  }
  parts.push(text.slice(taken))
  return parts.join("")
}
