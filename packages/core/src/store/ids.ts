/** Ids of what the runtime makes: `<prefix>_<uuid>`, random from a cryptographic source. */

const POOL_BYTES = 2048
const BYTES = 16
const HEX = "0123456789abcdef"
const DASH = 45

const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** Character codes of an id by prefix, filled anew for every id. Only the runtime names prefixes, so they are few. */
const templates = new Map<string, Array<number>>()

const addTemplate = (prefix: string): Array<number> => {
  const codes = Array.from({ length: prefix.length + 1 }, (_, at) => `${prefix}_`.charCodeAt(at))
  templates.set(prefix, codes)
  return codes
}

/** The byte with the bits that say "UUID, version 4, RFC 9562 variant". */
const versioned = (byte: number, at: number): number =>
  at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte

/** A new `<prefix>_<uuid v4>`. */
export const makeId = (prefix: string): string => {
  if (used === POOL_BYTES) {
    crypto.getRandomValues(pool)
    used = 0
  }
  const codes = templates.get(prefix) ?? addTemplate(prefix)
  let to = prefix.length + 1
  for (let at = 0; at < BYTES; at++) {
    if (at === 4 || at === 6 || at === 8 || at === 10) codes[to++] = DASH
    // In range: the pool holds a whole number of ids.
    const byte = versioned(pool[used + at] as number, at)
    codes[to++] = HEX.charCodeAt(byte >> 4)
    codes[to++] = HEX.charCodeAt(byte & 15)
  }
  used += BYTES
  // One flat string: joined pieces would keep every piece alive in memory as long as the id.
  return String.fromCharCode.apply(String, codes)
}
