/** What an edit changed: a unified patch, the same for people to read, and the first line that differs. */
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk } from "diff"
import {
  changedBlocks,
  lineCount,
  lineEnd,
  lineStart,
  type ChangedBlock,
  type Replacement
} from "./diff/changedBlocks.ts"

const CONTEXT_LINES = 4
const NO_LINE_FEED = "\\ No newline at end of file"

export interface EditDiffs {
  /** Numbered lines with signs, for people. */
  readonly diff: string
  /** Unified, with 4 lines of context. Applied to the old text it gives the new one, line ends included. */
  readonly patch: string
  /** In the new file, counted from 1. */
  readonly firstChangedLine: number
}

/** The replacements are those that make `newText` of `oldText`, in order and disjoint. */
export const diffsOf = (
  path: string,
  oldText: string,
  newText: string,
  replacements: ReadonlyArray<Replacement>
): EditDiffs => {
  const hunks = hunksOf(oldText, newText, changedBlocks(oldText, newText, replacements))
  const patch = formatPatch(
    { oldFileName: path, newFileName: path, oldHeader: undefined, newHeader: undefined, hunks: [...hunks] },
    FILE_HEADERS_ONLY
  )
  return { diff: displayOf(hunks), patch, firstChangedLine: firstChangedLineOf(hunks) }
}

const hunksOf = (
  oldText: string,
  newText: string,
  blocks: ReadonlyArray<ChangedBlock>
): ReadonlyArray<StructuredPatchHunk> => {
  const hunks: Array<StructuredPatchHunk> = []
  let oldLine = 1
  let newLine = 1
  let oldAt = 0
  for (const { oldStart, oldEnd, newStart, newEnd } of blocks) {
    const between = lineCount(oldText, oldAt, oldStart)
    oldLine += between
    newLine += between
    let hunk = hunks.at(-1)
    if (hunk !== undefined && between <= 2 * CONTEXT_LINES) {
      addLines(hunk, " ", oldText.slice(oldAt, oldStart))
    } else {
      closeHunk(hunk, oldText, oldAt)
      hunk = openHunk(oldText, oldStart, oldLine, newLine)
      hunks.push(hunk)
    }
    addLines(hunk, "-", oldText.slice(oldStart, oldEnd))
    addLines(hunk, "+", newText.slice(newStart, newEnd))
    oldLine += lineCount(oldText, oldStart, oldEnd)
    newLine += lineCount(newText, newStart, newEnd)
    oldAt = oldEnd
  }
  closeHunk(hunks.at(-1), oldText, oldAt)
  return hunks
}

const openHunk = (oldText: string, oldStart: number, oldLine: number, newLine: number): StructuredPatchHunk => {
  let start = oldStart
  let lines = 0
  while (lines < CONTEXT_LINES && start > 0) {
    start = lineStart(oldText, start - 1)
    lines++
  }
  const hunk = { oldStart: oldLine - lines, oldLines: 0, newStart: newLine - lines, newLines: 0, lines: [] }
  addLines(hunk, " ", oldText.slice(start, oldStart))
  return hunk
}

const closeHunk = (hunk: StructuredPatchHunk | undefined, oldText: string, oldEnd: number): void => {
  if (hunk === undefined) return
  let end = oldEnd
  for (let line = 0; line < CONTEXT_LINES && end < oldText.length; line++) end = lineEnd(oldText, end)
  addLines(hunk, " ", oldText.slice(oldEnd, end))
}

const addLines = (hunk: StructuredPatchHunk, sign: " " | "-" | "+", text: string): void => {
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at)
    const hasLineFeed = text[end - 1] === "\n"
    hunk.lines.push(sign + text.slice(at, hasLineFeed ? end - 1 : end))
    if (!hasLineFeed) hunk.lines.push(NO_LINE_FEED)
    if (sign !== "+") hunk.oldLines++
    if (sign !== "-") hunk.newLines++
    at = end
  }
}

/** A line of a hunk with its numbers. */
interface NumberedLine {
  readonly sign: string
  readonly text: string
  readonly oldLine: number
  readonly newLine: number
}

const numberedLines = (hunk: StructuredPatchHunk): ReadonlyArray<NumberedLine> => {
  let oldLine = hunk.oldStart
  let newLine = hunk.newStart
  const numbered: Array<NumberedLine> = []
  for (const line of hunk.lines) {
    if (line === NO_LINE_FEED) continue
    const sign = line.slice(0, 1)
    numbered.push({ sign, text: line.slice(1), oldLine, newLine })
    if (sign !== "+") oldLine++
    if (sign !== "-") newLine++
  }
  return numbered
}

/** Removed lines have their old number, all others their new one. */
const displayOf = (hunks: ReadonlyArray<StructuredPatchHunk>): string => {
  const last = hunks.at(-1)!
  const width = String(Math.max(last.oldStart + last.oldLines, last.newStart + last.newLines)).length
  return hunks
    .map((hunk) =>
      numberedLines(hunk)
        .map(({ sign, text, oldLine, newLine }) => {
          const number = String(sign === "-" ? oldLine : newLine).padStart(width)
          return `${sign}${number} ${text.endsWith("\r") ? text.slice(0, -1) : text}`
        })
        .join("\n")
    )
    .join(`\n ${" ".repeat(width)} ...\n`)
}

const firstChangedLineOf = ([first]: ReadonlyArray<StructuredPatchHunk>): number =>
  numberedLines(first!).find(({ sign }) => sign !== " ")!.newLine
