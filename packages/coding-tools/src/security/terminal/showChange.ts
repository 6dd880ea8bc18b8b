/** A proposed change on a sheet: removed and added lines, with a few unchanged ones around them. */
import type { ProposedChange } from "../../proposedChange.ts"
import type { Sheet } from "./Sheet.ts"

const MAX_LINES = 80
const MAX_LINE_LENGTH = 400
const CONTEXT_LINES = 3

interface Line {
  readonly sign: " " | "+" | "-"
  readonly text: string
}

/** Takes time in proportion to the texts: they may be large, and are a model's. */
export const showChange = (sheet: Sheet, change: ProposedChange): void => {
  let left = MAX_LINES
  const show = (label: string, lines: ReadonlyArray<Line>): void => {
    for (const [at, { sign, text }] of lines.slice(0, left).entries()) {
      sheet.line((at === 0 ? label : "").padEnd(7) + sign, text, MAX_LINE_LENGTH)
    }
    const missing = lines.slice(left)
    left -= Math.min(left, lines.length)
    if (missing.length === 0) return
    sheet.omit(missing.reduce((sum, { text }) => sum + text.length + 1, 0))
    sheet.note(`… and ${missing.length} more ${missing.length === 1 ? "line" : "lines"}`)
  }
  if ("content" in change) return show("content", signed("+", change.content.replace(/\n$/, "").split("\n")))
  for (const [at, edit] of change.edits.entries()) {
    show(
      change.edits.length === 1 ? "edit" : `edit ${at + 1}`,
      linesOf(edit.oldText.split("\n"), edit.newText.split("\n"))
    )
  }
}

const signed = (sign: Line["sign"], texts: ReadonlyArray<string>): ReadonlyArray<Line> =>
  texts.map((text) => ({ sign, text }))

const linesOf = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Line> => {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return [
    ...signed(" ", before.slice(Math.max(0, head - CONTEXT_LINES), head)),
    ...signed("-", before.slice(head, before.length - tail)),
    ...signed("+", after.slice(head, after.length - tail)),
    ...signed(" ", before.slice(before.length - tail).slice(0, CONTEXT_LINES))
  ]
}
