/** Sets of code points, and what Unicode properties say, for the rules that speak of characters. */
import { once } from "./once.ts"

/**
 * Whether a code point lies in a set written as hexadecimal ranges, sorted and apart: `"30-39 b7"`. The text is read at
 * the first question.
 */
export const codePointSet = (text: string): ((codePoint: number) => boolean) => {
  const bounds = once(() => text.split(" ").flatMap(toBounds))
  return (codePoint) => {
    // The index of the first bound above the code point: odd within a range, as [from, to + 1) alternate.
    const sorted = bounds()
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle] ?? 0) > codePoint) high = middle
      else low = middle + 1
    }
    return low % 2 === 1
  }
}

const toBounds = (range: string): ReadonlyArray<number> => {
  const [from = "", to = from] = range.split("-")
  return [parseInt(from, 16), parseInt(to, 16) + 1]
}

/**
 * Whether a character matches a class such as `"\\p{Mn}"`. Made at the first question: a literal would have the engine
 * look up Unicode properties while it loads the module.
 */
export const characterClass = (body: string): ((character: string) => boolean) => {
  const pattern = once(() => new RegExp(`[${body}]`, "u"))
  return (character) => pattern().test(character)
}
