/** Which lines differ between a text and what edits made of it. Looks at the touched lines alone. */
import { diffLines } from "diff"

/** A replaced span of the old text, and what is there now. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly newText: string
}

/** Whole lines that were replaced, as offsets in both texts. Not empty on both sides. */
export interface ChangedBlock {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** Steps of comparison for all blocks together; they grow with the square of the differing lines. */
const MAX_STEPS = 4_000_000
/** Differing lines of one block that are still told apart. */
const MAX_DIFFERENCES = 1_000

/** In order and disjoint. Blocks that differ in too many lines are taken as replaced whole. */
export const changedBlocks = (
  oldText: string,
  newText: string,
  replacements: ReadonlyArray<Replacement>
): ReadonlyArray<ChangedBlock> => {
  let steps = MAX_STEPS
  return touchedLines(oldText, newText, replacements).flatMap((touched) => {
    const maxEditLength = Math.min(MAX_DIFFERENCES, Math.floor(Math.sqrt(steps)))
    const blocks = differences(oldText, newText, touched, maxEditLength)
    const differing = blocks?.reduce((sum, block) => sum + linesOf(oldText, newText, block), 0) ?? maxEditLength
    steps = Math.max(0, steps - differing ** 2)
    return blocks ?? [touched]
  })
}

const linesOf = (oldText: string, newText: string, { oldStart, oldEnd, newStart, newEnd }: ChangedBlock): number =>
  lineCount(oldText, oldStart, oldEnd) + lineCount(newText, newStart, newEnd)

/** The lines of each replacement; those that share a line make one block. */
const touchedLines = (
  oldText: string,
  newText: string,
  replacements: ReadonlyArray<Replacement>
): ReadonlyArray<ChangedBlock> => {
  const blocks: Array<ChangedBlock> = []
  /** How much longer the new text is so far. */
  let growth = 0
  for (const { start, end, newText: inserted } of replacements) {
    const before = blocks.at(-1)
    const oldStart = lineStart(oldText, start)
    const newStart = oldStart + growth
    growth += inserted.length - (end - start)
    const atBorder = isLineStart(oldText, end) && isLineStart(newText, end + growth)
    const oldEnd = atBorder ? end : lineEnd(oldText, end)
    if (before === undefined || oldStart >= before.oldEnd) {
      blocks.push({ oldStart, oldEnd, newStart, newEnd: oldEnd + growth })
    } else {
      const shared = Math.max(oldEnd, before.oldEnd)
      blocks[blocks.length - 1] = { ...before, oldEnd: shared, newEnd: shared + growth }
    }
  }
  return blocks
}

/** Split by the library into what really differs; `undefined` where that takes more than `maxEditLength` lines. */
const differences = (
  oldText: string,
  newText: string,
  { oldStart, oldEnd, newStart, newEnd }: ChangedBlock,
  maxEditLength: number
): ReadonlyArray<ChangedBlock> | undefined => {
  const parts = diffLines(oldText.slice(oldStart, oldEnd), newText.slice(newStart, newEnd), { maxEditLength })
  if (parts === undefined) return undefined
  const blocks: Array<ChangedBlock> = []
  let oldAt = oldStart
  let newAt = newStart
  let isOpen = false
  for (const { added, removed, value } of parts) {
    const block = { oldStart: oldAt, oldEnd: oldAt, newStart: newAt, newEnd: newAt }
    if (!added) oldAt += value.length
    if (!removed) newAt += value.length
    if (!added && !removed) {
      isOpen = false
      continue
    }
    const open = isOpen ? blocks.pop()! : block
    blocks.push({ ...open, oldEnd: oldAt, newEnd: newAt })
    isOpen = true
  }
  return blocks
}

/** Where the line of an offset begins. */
export const lineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1

/** Behind the line feed of the line of an offset. */
export const lineEnd = (text: string, offset: number): number => text.indexOf("\n", offset) + 1 || text.length

const isLineStart = (text: string, offset: number): boolean => offset === 0 || text[offset - 1] === "\n"

/** Line feeds in a part of a text. */
export const lineCount = (text: string, start: number, end: number): number => {
  let count = 0
  for (let at = text.indexOf("\n", start); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count++
  return count
}
