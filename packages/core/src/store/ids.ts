/** Ids of what the runtime makes: `<prefix>_<uuid>`, random from a cryptographic source. */

const POOL_BYTES = 2048
const BYTES = 16
const DASH = 45
const DIGITS = "0123456789abcdef"

const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** Character codes of both digits of a byte. */
const high = Uint8Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte >> 4))
const low = Uint8Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte & 15))

/** Where in a UUID the digits of each byte go. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** Character codes of an id by prefix, filled anew for every id. Only the runtime names prefixes, so they are few. */
const templates = new Map<string, Array<number>>()

const addTemplate = (prefix: string): Array<number> => {
  const text = `${prefix}_`
  const codes = Array.from({ length: text.length + 36 }, (_, at) => (at < text.length ? text.charCodeAt(at) : DASH))
  templates.set(prefix, codes)
  return codes
}

/** A new `<prefix>_<uuid v4>`. */
export const makeId = (prefix: string): string => {
  if (used === POOL_BYTES) {
    crypto.getRandomValues(pool)
    used = 0
  }
  // The bits that say "UUID, version 4, RFC 9562 variant". All reads are in range: the pool holds a whole number of ids.
  pool[used + 6] = ((pool[used + 6] as number) & 0x0f) | 0x40
  pool[used + 8] = ((pool[used + 8] as number) & 0x3f) | 0x80
  const codes = templates.get(prefix) ?? addTemplate(prefix)
  const start = prefix.length + 1
  for (let at = 0; at < BYTES; at += 1) {
    const byte = pool[used + at] as number
    const to = start + (places[at] as number)
    codes[to] = high[byte] as number
    codes[to + 1] = low[byte] as number
  }
  used += BYTES
  // One flat string: joined pieces would keep every piece alive in memory as long as the id.
  return String.fromCharCode.apply(String, codes)
}
