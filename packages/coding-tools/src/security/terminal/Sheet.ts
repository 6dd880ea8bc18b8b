/** What a person is shown of a request: labelled lines behind a border, bounded, with a count of what is missing. */
import { visible, wrap } from "./visible.ts"

const BORDER = "│ "
const LABEL_COLUMNS = 9

/** Narrower terminals break the lines themselves. */
const MIN_COLUMNS = 20
const MAX_COLUMNS = 120
const DEFAULT_COLUMNS = 80

export class Sheet {
  /** Characters that were given and are not shown. */
  leftOut = 0
  private readonly rows: Array<string> = []
  private readonly width: number

  /** A terminal that does not know its width says so with 0. */
  constructor(columns = 0) {
    const known = columns > 0 ? columns : DEFAULT_COLUMNS
    this.width = Math.max(MIN_COLUMNS, Math.min(known, MAX_COLUMNS)) - BORDER.length - LABEL_COLUMNS - 1
  }

  /** One line of text, of which at most `maxLength` characters are shown. The label is never a stranger's. */
  line(label: string, text: string, maxLength: number): void {
    const shown = text.slice(0, maxLength)
    const missing = text.length - shown.length
    this.leftOut += missing
    const rest = missing > 0 ? [`… and ${missing} more characters`] : []
    const pieces = [...wrap(visible(shown), this.width), ...rest]
    for (const [at, piece] of pieces.entries()) {
      this.rows.push(`${BORDER}${(at === 0 ? label : "").padEnd(LABEL_COLUMNS)}${piece}`.trimEnd())
    }
  }

  /** A line for each text, at most `maxLines` of them. */
  list(label: string, texts: ReadonlyArray<string>, maxLines: number, maxLength: number): void {
    for (const [at, text] of texts.slice(0, maxLines).entries()) this.line(at === 0 ? label : "", text, maxLength)
    const missing = texts.slice(maxLines)
    if (missing.length === 0) return
    this.omit(missing.reduce((sum, text) => sum + text.length + 1, 0))
    this.note(`… and ${missing.length} more`)
  }

  /** Our own words. */
  note(text: string): void {
    for (const piece of wrap(text, this.width)) this.rows.push(BORDER + " ".repeat(LABEL_COLUMNS) + piece)
  }

  omit(characters: number): void {
    this.leftOut += characters
  }

  get text(): string {
    return this.rows.map((row) => `${row}\n`).join("")
  }
}
