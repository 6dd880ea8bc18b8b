/** What one step of a pattern accepts: a set of code points, or of UTF-16 units where the pattern has no `u` flag. */

/** Sorted, disjoint, inclusive pairs: `[low, high, low, high, …]`. */
export type Ranges = ReadonlyArray<number>

export interface CharacterSet {
  /** One bit for each of the code points 0 to 127, in four words. */
  readonly ascii: readonly [number, number, number, number]
  /** The ranges from 128. With `native` this is everything from there, which is more than the set has. */
  readonly high: Ranges
  /** Decides from 128 where the set names Unicode properties: the platform has those tables, this file has not. */
  readonly native: RegExp | undefined
}

const LAST = 0x10ffff

const ASCII = 128

/** Sorts `pairs`, and joins those that touch. */
export const normalize = (pairs: Ranges): Ranges => {
  if (pairs.length <= 2) return pairs
  const sorted: Array<readonly [number, number]> = []
  for (let i = 0; i < pairs.length; i += 2) sorted.push([pairs[i] ?? 0, pairs[i + 1] ?? 0])
  sorted.sort((a, b) => a[0] - b[0])
  const joined: Array<number> = []
  let end = -2
  for (const [low, high] of sorted) {
    if (low > end + 1) joined.push(low, high)
    else if (high > end) joined[joined.length - 1] = high
    if (high > end) end = high
  }
  return joined
}

/** Everything that is not in `ranges`, which are normal. */
export const complement = (ranges: Ranges): Ranges => {
  const rest: Array<number> = []
  let next = 0
  for (let i = 0; i < ranges.length; i += 2) {
    const low = ranges[i] ?? 0
    if (low > next) rest.push(next, low - 1)
    next = (ranges[i + 1] ?? 0) + 1
  }
  if (next <= LAST) rest.push(next, LAST)
  return rest
}

/** The set of normal `ranges`. */
export const ofRanges = (ranges: Ranges): CharacterSet => {
  const ascii: [number, number, number, number] = [0, 0, 0, 0]
  const high: Array<number> = []
  for (let i = 0; i < ranges.length; i += 2) {
    const low = ranges[i] ?? 0
    const end = ranges[i + 1] ?? 0
    for (let c = low; c <= end && c < ASCII; c++) ascii[c >> 5] = (ascii[c >> 5] ?? 0) | (1 << (c & 31))
    if (end >= ASCII) high.push(Math.max(low, ASCII), end)
  }
  return { ascii, high, native: undefined }
}

const singles: Array<CharacterSet | undefined> = []

/** The set of one code point. Those of ASCII are made once. */
export const ofCodePoint = (c: number): CharacterSet => {
  if (c >= ASCII) return { ascii: [0, 0, 0, 0], high: [c, c], native: undefined }
  return (singles[c] ??= ofRanges([c, c]))
}

/** The set of a class or escape that names Unicode properties; `source` is its text in the pattern, which is valid under `u`. */
export const ofProperties = (source: string): CharacterSet => {
  const native = new RegExp(`^${source}$`, "u")
  const ascii: [number, number, number, number] = [0, 0, 0, 0]
  for (let c = 0; c < ASCII; c++) {
    if (native.test(String.fromCharCode(c))) ascii[c >> 5] = (ascii[c >> 5] ?? 0) | (1 << (c & 31))
  }
  return { ascii, high: [ASCII, LAST], native }
}

const within = (ranges: Ranges, c: number): boolean => {
  let from = 0
  let to = ranges.length >> 1
  while (from < to) {
    const middle = (from + to) >> 1
    if (c > (ranges[2 * middle + 1] ?? 0)) from = middle + 1
    else to = middle
  }
  return 2 * from < ranges.length && c >= (ranges[2 * from] ?? 0)
}

export const has = (set: CharacterSet, c: number): boolean => {
  if (c < ASCII) return (((set.ascii[c >> 5] ?? 0) >> (c & 31)) & 1) === 1
  if (set.native !== undefined) return set.native.test(String.fromCodePoint(c))
  return set.high.length > 0 && within(set.high, c)
}

/** Whether one code point may be in both; with properties from 128 the answer is yes. */
export const overlap = (a: CharacterSet, b: CharacterSet): boolean => {
  if (a === b) return true
  const x = a.ascii
  const y = b.ascii
  if (((x[0] & y[0]) | (x[1] & y[1]) | (x[2] & y[2]) | (x[3] & y[3])) !== 0) return true
  let i = 0
  let j = 0
  while (i < a.high.length && j < b.high.length) {
    if ((a.high[i + 1] ?? 0) < (b.high[j] ?? 0)) i += 2
    else if ((b.high[j + 1] ?? 0) < (a.high[i] ?? 0)) j += 2
    else return true
  }
  return false
}

const DIGITS: Ranges = [0x30, 0x39]
const WORDS: Ranges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]
// WhiteSpace and LineTerminator of ECMA-262 §22.2.2.9.
const SPACES: Ranges = [
  9, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000,
  0x3000, 0xfeff, 0xfeff
]
const LINES: Ranges = [10, 10, 13, 13, 0x2028, 0x2029]

/** The ranges of `\d`, `\s` and `\w`, and of their opposites. */
export const escapes: ReadonlyMap<string, Ranges> = new Map([
  ["d", DIGITS],
  ["D", complement(DIGITS)],
  ["s", SPACES],
  ["S", complement(SPACES)],
  ["w", WORDS],
  ["W", complement(WORDS)]
])
/** The same as sets. */
export const escapeSets: ReadonlyMap<string, CharacterSet> = new Map(
  Array.from(escapes, ([letter, ranges]) => [letter, ofRanges(ranges)])
)
/** What `.` accepts. */
export const notLineEnd = ofRanges(complement(LINES))
export const anything = ofRanges([0, LAST])
export const isWord = (c: number): boolean =>
  (c >= 0x61 && c <= 0x7a) || (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x5a) || c === 0x5f
