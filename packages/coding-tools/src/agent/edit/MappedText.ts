/** A text that was made from another by replacing pieces, and the way from its offsets back to those of the original. */

/** Takes the pieces from left to right; what lies between them is kept as it is. */
export interface MappedText {
  readonly text: string
  /** Where in the original the unit at an offset begins; the begin of its piece, if it was replaced. */
  readonly startOf: (offset: number) => number
  /** Where in the original the unit before an offset ends; the end of its piece, if it was replaced. */
  readonly endOf: (offset: number) => number
  /** Whether an offset lies within a replaced piece, so that no offset of the original answers to it. */
  readonly isWithinPiece: (offset: number) => boolean
}

export interface MappedTextBuilder {
  /** `original.slice(start, end)` becomes `replacement`. Pieces come in order and do not overlap. */
  readonly replace: (start: number, end: number, replacement: string) => void
  readonly build: () => MappedText
}

/** A text of which nothing was replaced. */
export const unchangedText = (text: string): MappedText => ({
  text,
  startOf: (offset) => offset,
  endOf: (offset) => offset,
  isWithinPiece: () => false
})

/** `outer` was made of the text of `inner`: the way back from it to the original of `inner`. */
export const throughBoth = (outer: MappedText, inner: MappedText): MappedText => ({
  text: outer.text,
  startOf: (offset) => inner.startOf(outer.startOf(offset)),
  endOf: (offset) => inner.endOf(outer.endOf(offset)),
  isWithinPiece: outer.isWithinPiece
})

/** Costs memory per replaced piece, not per character: a text without any is the original itself. */
export const mappedText = (original: string): MappedTextBuilder => {
  const parts: Array<string> = []
  /** By piece: begin and end in the new text, begin and end in the original. */
  const begins: Array<number> = []
  const ends: Array<number> = []
  const originalBegins: Array<number> = []
  const originalEnds: Array<number> = []
  let length = 0
  let taken = 0

  const replace = (start: number, end: number, replacement: string) => {
    if (start > taken) parts.push(original.slice(taken, start))
    length += start - taken
    begins.push(length)
    if (replacement !== "") parts.push(replacement)
    length += replacement.length
    ends.push(length)
    originalBegins.push(start)
    originalEnds.push(end)
    taken = end
  }

  /** The last piece that begins at or before an offset; -1 for none. Empty pieces are passed. */
  const pieceAt = (offset: number): number => {
    let low = 0
    let high = begins.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (begins[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  const startOf = (offset: number): number => {
    const piece = pieceAt(offset)
    if (piece < 0) return offset
    return offset < ends[piece]! ? originalBegins[piece]! : originalEnds[piece]! + offset - ends[piece]!
  }

  // Looked up by the unit before the offset, so that pieces which became nothing stay outside at either border.
  const endOf = (offset: number): number => {
    const piece = pieceAt(offset - 1)
    if (piece < 0) return offset
    return offset <= ends[piece]! ? originalEnds[piece]! : originalEnds[piece]! + offset - ends[piece]!
  }

  const isWithinPiece = (offset: number): boolean => {
    const piece = pieceAt(offset)
    return piece >= 0 && offset > begins[piece]! && offset < ends[piece]!
  }

  const build = (): MappedText => {
    if (begins.length === 0) return unchangedText(original)
    parts.push(original.slice(taken))
    return { text: parts.join(""), startOf, endOf, isWithinPiece }
  }

  return { replace, build }
}
