/** Patterns and subjects made at random, the same ones in each run. */

/** A sequence of numbers from `seed`: each call gives one below `n`. */
export const numbersFrom = (seed: number) => {
  let state = seed
  return (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return Math.floor(((state >>> 8) / 0x1000000) * n)
  }
}

export type Numbers = ReturnType<typeof numbersFrom>

export const pick = <T>(next: Numbers, from: ReadonlyArray<T>): T => from[next(from.length)]!

const atoms =
  String.raw`a b c . \d \w \s [ab] [^a] [a-c] \b \B ^ $ 😀 \u{1F600} [😀a] [^😀] \p{L} \P{L} [\p{L}1] [^\p{L}b]
\ud83d \ude00 1 \x61 \n [] [^] \cA - \- \S \W \D [\w-] [\w-a] [a-\d] { } ] \7 \08 \101 [\1\b] [\cA\c_] \c \u{61} a{,2} \k
\p{L \0 \uD83D\uDE00 \u00e9 [\uD83D\uDE00] [\s\S] \z é`.split(/\s+/)
const quantifiers = "* + ? {2} {0,2} {1,3} {2,} *? +? {3,5} {0} {0,} {2,4}".split(" ")
const looks = ["(?=", "(?!", "(?<=", "(?<!"]

/** The source of a pattern whose parts stand up to `depth` deep in each other. */
export const randomPattern = (next: Numbers, depth: number, from: ReadonlyArray<string> = atoms): string => {
  if (depth <= 0 || next(3) === 0) return pick(next, from)
  const part = () => randomPattern(next, depth - 1, from)
  switch (next(10)) {
    case 0:
    case 1:
    case 2:
      return part() + part()
    case 3:
      return `(?:${part()}|${part()})`
    case 4:
      return `(?:${part()})${pick(next, quantifiers)}`
    case 5:
    case 6:
      return pick(next, ["a", "[ab]", ".", "[^b]", "b"]) + pick(next, quantifiers)
    case 7:
      return `(${part()})`
    case 8:
      return `${pick(next, looks)}${part()})`
    default:
      return `(?:${part()}|)${part()}`
  }
}

const characters = ["a", "b", "c", "1", "-", "😀", "\ud83d", "\ude00", "\n", " ", "é", "{", "}", "u", "k", "\\", "A"]

export const randomSubject = (next: Numbers, maxLength: number): string =>
  Array.from({ length: next(maxLength + 1) }, () =>
    next(3) > 0 ? pick(next, ["a", "b", "c"]) : pick(next, characters)
  ).join("")
