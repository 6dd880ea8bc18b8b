/**
 * Texts as edits compare them where the exact text is not found: NFKC, no blanks at line ends, plain quotes, hyphens
 * and spaces, LF. Case, indentation and blanks within a line count.
 */
import { byteOrderMarkLength, withLineFeeds } from "./lineFeeds.ts"
import { mappedText, type MappedText, type MappedTextBuilder } from "./MappedText.ts"

const PLAIN: ReadonlyArray<readonly [RegExp, string]> = [
  [/[\u2018\u2019\u201A\u201B]/g, "'"],
  [/[\u201C\u201D\u201E\u201F]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " "]
]

/** What NFKC may put together with the code point before it: marks, Hangul vowels and finals, Kirat Rai vowels. */
const JOINS = /^[\p{M}\u1160-\u11FF\u{16D63}-\u{16D6A}]/u

/** Marks on one letter. Sorting more of them takes the square of their number; no letter of any script has so many. */
const MAX_CLUSTER = 1_024

const INERT = 1
const CHANGES = 2
const JOINING = 3

const classify = (character: string): number => {
  if (JOINS.test(character.normalize("NFKD"))) return JOINING
  return plain(character) === character ? INERT : CHANGES
}

const plain = (text: string): string => {
  let result = text.normalize("NFKC")
  for (const [lookAlike, instead] of PLAIN) result = result.replaceAll(lookAlike, instead)
  return result
}

/** By code unit, filled as they are met; surrogates stay 0. ASCII is inert. */
const classes = new Uint8Array(0x10000)
const SURROGATES_BEGIN = 0xd800
const SURROGATES_END = 0xe000

const classAt = (text: string, at: number, unit: number): number => {
  if (unit >= SURROGATES_BEGIN && unit < SURROGATES_END) return classify(String.fromCodePoint(text.codePointAt(at)!))
  const known = classes[unit]!
  if (known !== 0) return known
  return (classes[unit] = classify(String.fromCharCode(unit)))
}

const lengthAt = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1)

/** White space as `trimEnd` has it, without the line feed. */
const isBlank = (unit: number): boolean =>
  unit === 0x20 || (unit >= 9 && unit <= 13 && unit !== 10) || (unit >= 0xa0 && /\s/.test(String.fromCharCode(unit)))

/** Replaces what is not plain in `text.slice(start, end)`, a line without its end, from what is not ASCII and the character before it. */
const replaceClusters = (mapped: MappedTextBuilder, text: string, start: number, end: number): void => {
  /** The code point before `at`, to which a mark belongs. */
  let base = start
  let at = start
  while (at < end) {
    const unit = text.charCodeAt(at)
    const kind = unit < 0x80 ? INERT : classAt(text, at, unit)
    if (kind === INERT) {
      base = at
      at += unit < SURROGATES_BEGIN ? 1 : lengthAt(text, at)
      continue
    }
    const from = kind === JOINING ? base : at
    at += lengthAt(text, at)
    while (at < end && text.charCodeAt(at) >= 0x80 && classAt(text, at, text.charCodeAt(at)) === JOINING) {
      at += lengthAt(text, at)
    }
    base = at
    if (at - from > MAX_CLUSTER) continue
    const cluster = text.slice(from, at)
    const instead = plain(cluster)
    if (instead !== cluster) mapped.replace(from, at, instead)
  }
}

const NON_ASCII = /[^\0-\x7F]/g

const nextNonAscii = (text: string, from: number): number => {
  NON_ASCII.lastIndex = from
  return NON_ASCII.exec(text)?.index ?? text.length
}

/** A text with line feeds for fuzzy matching, and the way back to it. That it is ASCII spares a look at each character. */
export const mapFuzzyText = (text: string, isAscii = false): MappedText => {
  const mapped = mappedText(text)
  let special = isAscii ? text.length : nextNonAscii(text, 0)
  for (let start = 0; start <= text.length;) {
    const lineFeed = text.indexOf("\n", start)
    const end = lineFeed < 0 ? text.length : lineFeed
    let trimmed = end
    while (trimmed > start && isBlank(text.charCodeAt(trimmed - 1))) trimmed--
    if (special < trimmed) replaceClusters(mapped, text, Math.max(start, special - 1), trimmed)
    if (special < end) special = nextNonAscii(text, end)
    if (trimmed < end) mapped.replace(trimmed, end, "")
    start = end + 1
  }
  return mapped.build()
}

/** What an edit looks for, for fuzzy matching. */
export const fuzzyText = (oldText: string): string =>
  mapFuzzyText(withLineFeeds(oldText.slice(byteOrderMarkLength(oldText)))).text
