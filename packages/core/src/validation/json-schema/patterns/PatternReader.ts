/** Where reading a pattern stands, and the escapes that mean one character. */

/** The platform has found the source valid, so that reading asks what a piece is, not whether it may stand there. */
export interface PatternReader {
  readonly source: string
  /** The pattern is made of code points, and is strict about escapes; else of UTF-16 units, with ECMA-262 Annex B. */
  readonly unicode: boolean
  at: number
  /** The first reason not to go on; reading has then moved to the end. */
  refused: string | undefined
}

/** Ends the reading. */
export const refuse = (reader: PatternReader, reason: string): void => {
  reader.refused ??= reason
  reader.at = reader.source.length
}

/** The character at which `reader` stands, behind which it then stands. */
export const readCharacter = (reader: PatternReader): number => {
  const { at, source, unicode } = reader
  const c = (unicode ? source.codePointAt(at) : source.charCodeAt(at)) ?? 0
  reader.at = at + (c > 0xffff ? 2 : 1)
  return c
}

/** What the sticky `expression` finds at `reader`, which then stands behind it. */
export const take = (reader: PatternReader, expression: RegExp): string | undefined => {
  expression.lastIndex = reader.at
  const found = expression.exec(reader.source)?.[0]
  if (found !== undefined) reader.at += found.length
  return found
}

const OCTAL = /[0-3][0-7]{0,2}|[4-7][0-7]?/y
const TWO_HEX = /[0-9a-fA-F]{2}/y
const FOUR_HEX = /[0-9a-fA-F]{4}/y
const BRACED_HEX = /\{[0-9a-fA-F]+\}/y
const TRAIL = /\\u[dD][c-fC-F][0-9a-fA-F]{2}/y
const controls: ReadonlyMap<string, number> = new Map([
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13]
])

const readUnicodeEscape = (reader: PatternReader): number => {
  const braced = reader.unicode ? take(reader, BRACED_HEX) : undefined
  if (braced !== undefined) return Number.parseInt(braced.slice(1, -1), 16)
  const digits = take(reader, FOUR_HEX)
  if (digits === undefined) return 0x75
  const lead = Number.parseInt(digits, 16)
  if (!reader.unicode || lead < 0xd800 || lead > 0xdbff) return lead
  const trail = take(reader, TRAIL)
  return trail === undefined ? lead : (lead - 0xd800) * 0x400 + Number.parseInt(trail.slice(2), 16) - 0xdc00 + 0x10000
}

/** The escape behind the `\` that `reader` has just passed, as the one character it means. */
export const readEscape = (reader: PatternReader, inClass: boolean): number => {
  const { source, unicode } = reader
  const letter = source.charAt(reader.at)
  const control = controls.get(letter)
  if (control !== undefined || letter === "x" || letter === "u") reader.at++
  if (control !== undefined) return control
  if (letter === "u") return readUnicodeEscape(reader)
  if (letter === "x") {
    const digits = take(reader, TWO_HEX)
    return digits === undefined ? 0x78 : Number.parseInt(digits, 16)
  }
  if (letter === "c") {
    const next = source.charAt(reader.at + 1)
    // Annex B: without a control letter the backslash stands for itself, and `c` is read next.
    if (!/[a-zA-Z]/.test(next) && !(inClass && !unicode && /[0-9_]/.test(next))) return 0x5c
    reader.at += 2
    return next.charCodeAt(0) & 31
  }
  const octal = take(reader, OCTAL)
  return octal === undefined ? readCharacter(reader) : Number.parseInt(octal, 8)
}
