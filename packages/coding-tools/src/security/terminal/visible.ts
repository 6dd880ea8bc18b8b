/** Text that nobody vouches for, made safe to show: nothing in it moves a cursor, hides, or turns its direction. */

/** Controls, line breaks, odd spaces, whatever is invisible or unassigned, and marks that would sit on a foreign sign. */
const UNSAFE = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\\]|(?<![\p{L}\p{M}])\p{M}/gu

const NAMED = new Map([
  ["\n", String.raw`\n`],
  ["\r", String.raw`\r`],
  ["\t", String.raw`\t`],
  ["\\", String.raw`\\`]
])

/** One line. A backslash is doubled, so that an escape is never mistaken for text or the other way round. */
export const visible = (text: string): string =>
  text.replaceAll(UNSAFE, (sign) => NAMED.get(sign) ?? String.raw`\u{${sign.codePointAt(0)!.toString(16)}}`)

/** Pieces of at most `width` columns: a terminal that broke the line itself would begin the rest at its border. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let piece = ""
  let used = 0
  for (const sign of text) {
    // Wide signs take two columns; that some narrow ones are counted so, too, costs only space.
    const columns = sign <= "~" ? 1 : 2
    if (used + columns > width) {
      pieces.push(piece)
      piece = ""
      used = 0
    }
    piece += sign
    used += columns
  }
  return [...pieces, piece]
}
