/** Finds where edits apply in a file: one place each, told apart from all that look like it, or none at all. */
import { ToolFailure } from "../results.ts"
import { fuzzyText, mapFuzzyText } from "./fuzzyText.ts"
import { byteOrderMarkLength, mapLineFeeds, withLineFeeds } from "./lineFeeds.ts"
import { throughBoth, type MappedText } from "./MappedText.ts"
import { countOccurrences, type Occurrences } from "./occurrences.ts"
import type { Edit } from "./parseEdits.ts"

/** What an edit replaces, as offsets in the file's text, and by what. */
export interface EditSpan {
  /** Which edit it is. */
  readonly index: number
  readonly start: number
  readonly end: number
  readonly newText: string
}

/** A file's text, decoded without loss. */
export interface EditTarget {
  /** As the caller spelt it. */
  readonly path: string
  readonly text: string
  readonly isAscii: boolean
}

/** An edit's text as it is looked for. */
interface Needle {
  readonly exact: string
  readonly fuzzy: string
}

/** No file holds one; UTF-8 would make a replacement character of it. */
const LONE_SURROGATE = /\p{Surrogate}/u

const NONE: Occurrences = { count: 0, first: -1 }

/**
 * All edits match the original text. The spans come in the order of the file, disjoint. Throws `ToolFailure` for the first
 * edit that has no place or more than one, and for edits that overlap. The file is read over once for all edits.
 */
export const findEdits = (target: EditTarget, edits: ReadonlyArray<Edit>): ReadonlyArray<EditSpan> => {
  const names = wordings(target.path, edits.length)
  for (const [index, { oldText }] of edits.entries()) {
    if (oldText === "") throw new ToolFailure(names.empty(index))
  }
  const exactFile = mapLineFeeds(target.text)
  const fuzzyFile = throughBoth(mapFuzzyText(exactFile.text, target.isAscii), exactFile)
  const needles = edits.map(needleOf)
  const exact = countOccurrences(
    exactFile.text,
    needles.map((needle) => needle.exact)
  )
  const fuzzy = countFuzzy(exactFile, fuzzyFile, needles, exact)
  const spans = edits.map((edit, index): EditSpan => {
    const needle = needles[index]!
    const place = placeOf(needle, exactFile, exact[index]!, fuzzyFile, fuzzy[index]!)
    if (place === undefined || LONE_SURROGATE.test(edit.oldText)) throw new ToolFailure(names.notFound(index))
    if (typeof place === "number") throw new ToolFailure(names.notUnique(index, place))
    return { index, ...place, newText: newTextOf(target.text, edit) }
  })
  return disjoint(spans, target.path)
}

const needleOf = ({ oldText }: Edit): Needle => {
  const fuzzy = fuzzyText(oldText)
  // Blanks alone look like any others, so they are only counted as they are.
  return { exact: withLineFeeds(oldText), fuzzy: fuzzy.trim() === "" ? "" : fuzzy }
}

/** A byte order mark that an edit names is the file's own, which stays. */
const newTextOf = (file: string, { oldText, newText }: Edit): string =>
  byteOrderMarkLength(file) > 0 &&
  byteOrderMarkLength(oldText) > 0 &&
  byteOrderMarkLength(newText) > 0 &&
  file[1] !== file[0]
    ? newText.slice(1)
    : newText

/** By needle. What was already counted is not counted again. */
const countFuzzy = (
  exactFile: MappedText,
  fuzzyFile: MappedText,
  needles: ReadonlyArray<Needle>,
  exact: ReadonlyArray<Occurrences>
): ReadonlyArray<Occurrences> => {
  const isSame = exactFile.text === fuzzyFile.text
  const asked = needles.flatMap((needle, index) =>
    needle.fuzzy === "" || (isSame && needle.fuzzy === needle.exact) ? [] : [index]
  )
  const counts = needles.map((needle, index) => (needle.fuzzy === "" ? NONE : exact[index]!))
  const counted = countOccurrences(
    fuzzyFile.text,
    asked.map((index) => needles[index]!.fuzzy)
  )
  for (const [position, index] of asked.entries()) counts[index] = counted[position]!
  return counts
}

interface Place {
  readonly start: number
  readonly end: number
}

/** The one place of a needle, the number of its places if there are more, or nothing. */
const placeOf = (
  needle: Needle,
  exactFile: MappedText,
  exact: Occurrences,
  fuzzyFile: MappedText,
  fuzzy: Occurrences
): Place | number | undefined => {
  const most = Math.max(exact.count, fuzzy.count)
  if (most > 1) return most
  if (most === 0) return undefined
  const likeness = fuzzy.count === 1 ? spanOf(fuzzyFile, fuzzy.first, needle.fuzzy.length) : undefined
  if (exact.count === 1) {
    const place = spanOf(exactFile, exact.first, needle.exact.length)
    const isElsewhere = likeness !== undefined && (likeness.end <= place.start || likeness.start >= place.end)
    return isElsewhere ? 2 : place
  }
  return isWhole(fuzzyFile, fuzzy.first, needle) ? likeness : undefined
}

const spanOf = (file: MappedText, first: number, length: number): Place => ({
  start: file.startOf(first),
  end: file.endOf(first + length)
})

/**
 * Whether a fuzzy match has bytes of its own: it does not end within a character that stands for several, and where
 * blanks at the end of `oldText` were dropped, it does not end within a word.
 */
const isWhole = (file: MappedText, first: number, { exact, fuzzy }: Needle): boolean => {
  const end = first + fuzzy.length
  if (file.isWithinPiece(first) || file.isWithinPiece(end)) return false
  const lastBlank = exact.at(-1) !== "\n" && /\s$/.test(exact)
  return !lastBlank || end === file.text.length || /\s/.test(file.text[end]!)
}

const disjoint = (spans: ReadonlyArray<EditSpan>, path: string): ReadonlyArray<EditSpan> => {
  const sorted = spans.toSorted((a, b) => a.start - b.start || a.end - b.end)
  for (const [position, span] of sorted.entries()) {
    const before = sorted[position - 1]
    if (before !== undefined && span.start < before.end) {
      throw new ToolFailure(
        `edits[${before.index}] and edits[${span.index}] overlap in ${path}. Merge them into one edit or target disjoint regions.`
      )
    }
  }
  return sorted
}

const wordings = (path: string, count: number) =>
  count === 1
    ? {
        empty: () => `oldText must not be empty in ${path}.`,
        notFound: () =>
          `Could not find the exact text in ${path}. The old text must match exactly including all whitespace and newlines.`,
        notUnique: (_: number, places: number) =>
          `Found ${places} occurrences of the text in ${path}. The text must be unique. Please provide more context to make it unique.`
      }
    : {
        empty: (index: number) => `edits[${index}].oldText must not be empty in ${path}.`,
        notFound: (index: number) =>
          `Could not find edits[${index}] in ${path}. The oldText must match exactly including all whitespace and newlines.`,
        notUnique: (index: number, places: number) =>
          `Found ${places} occurrences of edits[${index}] in ${path}. Each oldText must be unique. Please provide more context to make it unique.`
      }
