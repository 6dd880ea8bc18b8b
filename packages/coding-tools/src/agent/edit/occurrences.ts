/** Counts where texts occur in another, overlaps included, in time that grows with the text and not with its product. */

export interface Occurrences {
  readonly count: number
  /** Offset of the first one, -1 for none. */
  readonly first: number
}

/** Pieces of this length are looked for; a longer search for one could take the product of both lengths. */
const MAX_PROBE = 64
/** Shorter ones are looked for one by one: they cannot be told apart well enough. */
const MIN_SHARED_PROBE = 8
/** Looking for this many at once costs less than one by one. */
const MIN_SHARED = 8
/** How much of a needle is searched for its rarest piece. */
const PROBED_LENGTH = 512
/** Compared code units per code unit of the text before the search changes to one that never compares twice. */
const COMPARISONS = 8

/** A needle, and the piece of it that is looked for. */
interface Probe {
  readonly needle: string
  readonly offset: number
  readonly length: number
}

interface Count {
  count: number
  first: number
}

/** What may still be compared. */
interface Allowance {
  left: number
}

/** By needle. Needles are not empty. */
export const countOccurrences = (text: string, needles: ReadonlyArray<string>): ReadonlyArray<Occurrences> => {
  const counts = needles.map((): Count => ({ count: 0, first: -1 }))
  const shared = needles.flatMap((needle, index) =>
    needle.length >= MIN_SHARED_PROBE && needle.length <= text.length ? [index] : []
  )
  const together = shared.length >= MIN_SHARED && countTogether(text, needles, shared, counts)
  for (const [index, needle] of needles.entries()) {
    if (together && needle.length >= MIN_SHARED_PROBE) continue
    counts[index] = countOne(text, needle)
    // More than one is a failure of the whole call, so nobody asks about the rest.
    if (counts[index].count > 1) break
  }
  return counts
}

const found = (count: Count, at: number): void => {
  if (count.count === 0) count.first = at
  count.count++
}

/** Whether a needle is at an offset; `undefined` once the allowance is used up. */
const compare = (text: string, needle: string, at: number, allowance: Allowance): boolean | undefined => {
  allowance.left -= needle.length
  return allowance.left < 0 ? undefined : text.startsWith(needle, at)
}

const countOne = (text: string, needle: string): Count => {
  const { offset, length } = probeOf(needle, Math.min(needle.length, MAX_PROBE), new Map())
  const probe = needle.slice(offset, offset + length)
  const allowance = { left: COMPARISONS * (text.length + needle.length) }
  const count: Count = { count: 0, first: -1 }
  for (let at = text.indexOf(probe, offset); at >= 0; at = text.indexOf(probe, at + 1)) {
    if (length < needle.length) {
      const isThere = compare(text, needle, at - offset, allowance)
      if (isThere === undefined) return countByBorders(text, needle)
      if (!isThere) continue
    }
    found(count, at - offset)
  }
  return count
}

/** Knuth, Morris and Pratt: each code unit of the text is looked at twice at most. */
const countByBorders = (text: string, needle: string): Count => {
  /** By length of a matched start: the longest shorter start that also ends there. */
  const borders = new Int32Array(needle.length + 1)
  borders[0] = -1
  for (let length = 1, border = 0; length < needle.length; length++) {
    while (border >= 0 && needle.charCodeAt(border) !== needle.charCodeAt(length)) border = borders[border]!
    borders[length + 1] = ++border
  }
  const count: Count = { count: 0, first: -1 }
  for (let at = 0, matched = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    while (matched >= 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched]!
    if (++matched < needle.length) continue
    found(count, at + 1 - matched)
    matched = borders[matched]!
  }
  return count
}

const HASH_BITS = 32
/** Code units by whose like it is told how far a piece cannot be, and the bits that tell them apart. */
const BLOCK = 3
const BLOCK_BITS = 15

/** A number for each code unit; those beyond Latin-1 share them. */
const gears = Int32Array.from({ length: 256 }, (_, unit) => {
  const mixed = Math.imul(unit + 1, 0x9e3779b1)
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)
})

const gearOf = (unit: number): number => gears[(unit ^ (unit >>> 8)) & 0xff]!

/** Lengths of pieces that a hash can tell: what is further back has been shifted out of it. */
const hashedLength = (shortest: number): number => [32, 16].find((length) => length <= shortest) ?? MIN_SHARED_PROBE

const shiftOf = (length: number): number => Math.max(1, Math.floor(HASH_BITS / length))

/** The rolling hash of every piece of a length, by its offset. */
const eachHash = (text: string, length: number, end: number, visit: (hash: number, offset: number) => void): void => {
  const shift = shiftOf(length)
  let hash = 0
  for (let at = 0; at < end; at++) {
    hash = ((hash << shift) + gearOf(text.charCodeAt(at))) | 0
    if (at + 1 >= length) visit(hash, at + 1 - length)
  }
}

/** The piece of a needle that is rarest among all needles, then the one with the most different code units. */
const probeOf = (needle: string, length: number, uses: ReadonlyMap<number, number>): Probe => {
  let best: Probe = { needle, offset: 0, length }
  let bestUses = Number.POSITIVE_INFINITY
  let bestKinds = 0
  const kinds = new Map<number, number>()
  let filled = 0
  eachHash(needle, length, Math.min(needle.length, PROBED_LENGTH), (hash, offset) => {
    while (filled < offset + length) {
      const unit = needle.charCodeAt(filled++)
      kinds.set(unit, (kinds.get(unit) ?? 0) + 1)
    }
    const used = uses.get(hash) ?? 0
    if (used < bestUses || (used === bestUses && kinds.size > bestKinds)) {
      best = { needle, offset, length }
      bestUses = used
      bestKinds = kinds.size
    }
    const leaving = needle.charCodeAt(offset)
    const left = kinds.get(leaving)! - 1
    if (left === 0) kinds.delete(leaving)
    else kinds.set(leaving, left)
  })
  return best
}

/** One pass for all, by the rolling hash of one piece of each. False, with no counts, where that takes too long. */
const countTogether = (
  text: string,
  needles: ReadonlyArray<string>,
  indices: ReadonlyArray<number>,
  counts: Array<Count>
): boolean => {
  const length = hashedLength(Math.min(...indices.map((index) => needles[index]!.length)))
  const uses = new Map<number, number>()
  for (const index of indices) {
    eachHash(needles[index]!, length, Math.min(needles[index]!.length, PROBED_LENGTH), (hash) => {
      uses.set(hash, (uses.get(hash) ?? 0) + 1)
    })
  }
  const skips = new Uint8Array(1 << BLOCK_BITS).fill(length - BLOCK + 1)
  const byHash = new Map<number, Array<Probe & { readonly count: Count }>>()
  const own = indices.map((): Count => ({ count: 0, first: -1 }))
  for (const [position, index] of indices.entries()) {
    const probe = probeOf(needles[index]!, length, uses)
    const hash = hashOf(probe)
    markSkips(skips, probe)
    const probes = byHash.get(hash)
    if (probes === undefined) byHash.set(hash, [{ ...probe, count: own[position]! }])
    else probes.push({ ...probe, count: own[position]! })
  }
  if (!scan(text, length, skips, byHash)) return false
  for (const [position, index] of indices.entries()) counts[index] = own[position]!
  return true
}

const hashOf = ({ needle, offset, length }: Probe): number => {
  let hash = 0
  eachHash(needle.slice(offset, offset + length), length, length, (whole) => (hash = whole))
  return hash
}

const blockOf = (first: number, second: number, third: number): number =>
  (Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca6b) + Math.imul(third, 0xc2b2ae35)) >>> (32 - BLOCK_BITS)

/** Wu and Manber: by the block at the end of a window, how far the window may move without passing over a piece. */
const markSkips = (skips: Uint8Array, { length, needle, offset }: Probe): void => {
  for (let end = BLOCK; end <= length; end++) {
    const at = offset + end
    const block = blockOf(needle.charCodeAt(at - 3), needle.charCodeAt(at - 2), needle.charCodeAt(at - 1))
    skips[block] = Math.min(skips[block]!, length - end)
  }
}

const scan = (
  text: string,
  length: number,
  skips: Uint8Array,
  byHash: ReadonlyMap<number, ReadonlyArray<Probe & { readonly count: Count }>>
): boolean => {
  const allowance = { left: COMPARISONS * text.length }
  // Read from numbers and written out, since this is the one loop that passes over every text.
  const units = new Uint16Array(text.length)
  Buffer.from(units.buffer).write(text, "utf16le")
  const shift = shiftOf(length)
  for (let end = length; end <= units.length;) {
    const skip = skips[blockOf(units[end - 3]!, units[end - 2]!, units[end - 1]!)]!
    if (skip > 0) {
      end += skip
      continue
    }
    let hash = 0
    for (let at = end - length; at < end; at++) hash = ((hash << shift) + gearOf(units[at]!)) | 0
    allowance.left -= length >> 4
    for (const { needle, offset, count } of byHash.get(hash) ?? []) {
      const start = end - length - offset
      if (start >= 0 && compare(text, needle, start, allowance) === true) found(count, start)
    }
    if (allowance.left < 0) return false
    end += 1
  }
  return true
}
