/** Reads a class in brackets. */
import {
  type CharacterSet,
  complement,
  escapes,
  normalize,
  ofProperties,
  ofRanges,
  type Ranges
} from "./CharacterSet.ts"
import { type PatternReader, readCharacter, readEscape } from "./PatternReader.ts"

/** Where the class that opens at `from` ends, and whether it names Unicode properties. */
const spanOf = (source: string, from: number) => {
  let properties = false
  let at = from + 1
  while (at < source.length && source[at] !== "]") {
    if (source[at] === "\\") {
      at++
      if (source[at] === "p" || source[at] === "P") properties = true
    }
    at++
  }
  return { end: at + 1, properties }
}

/** One member: a character, or the ranges of an escape like `\w`. */
const readMember = (reader: PatternReader): number | Ranges => {
  const c = readCharacter(reader)
  if (c !== 0x5c) return c
  const letter = reader.source.charAt(reader.at)
  const named = escapes.get(letter)
  if (named === undefined && letter !== "b") return readEscape(reader, true)
  reader.at++
  return named ?? 8
}

/** The class at whose `[` `reader` stands. */
export const readClass = (reader: PatternReader): CharacterSet => {
  const { source, at: from, unicode } = reader
  const { end, properties } = spanOf(source, from)
  if (unicode && properties) {
    reader.at = end
    return ofProperties(source.slice(from, end))
  }
  const negated = source[from + 1] === "^"
  reader.at = from + (negated ? 2 : 1)
  const ranges: Array<number> = []
  const add = (member: number | Ranges): void => {
    if (typeof member === "number") ranges.push(member, member)
    else ranges.push(...member)
  }
  while (reader.at < end - 1) {
    const low = readMember(reader)
    if (source[reader.at] !== "-" || reader.at + 1 >= end - 1) {
      add(low)
      continue
    }
    reader.at++
    const high = readMember(reader)
    if (typeof low === "number" && typeof high === "number") {
      ranges.push(low, high)
    } else {
      // Annex B: a range to or from an escape like `\w` is no range.
      add(low)
      add(0x2d)
      add(high)
    }
  }
  reader.at = end
  const all = normalize(ranges)
  return ofRanges(negated ? complement(all) : all)
}
