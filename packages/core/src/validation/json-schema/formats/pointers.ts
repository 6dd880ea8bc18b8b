/** `json-pointer`, `json-pointer-uri-fragment` and `relative-json-pointer`. */
import { isUriReference } from "./uris.ts"

const brokenTilde = /~(?![01])/

/** RFC 6901 §3: empty, or tokens that each begin with `/`, in which `~` is written `~0` and `/` is written `~1`. */
export const isJsonPointer = (text: string): boolean => text === "" || (text.startsWith("/") && !brokenTilde.test(text))

/** RFC 6901 §6: `#` and a fragment (RFC 3986 §3.5) that is a JSON pointer once its escapes are decoded as UTF-8. */
export const isJsonPointerUriFragment = (text: string): boolean => {
  if (!text.startsWith("#") || !isUriReference(text)) return false
  try {
    return isJsonPointer(decodeURIComponent(text.slice(1)))
  } catch {
    // The escapes are no UTF-8.
    return false
  }
}

/**
 * draft-bhutton-relative-json-pointer-00 §3: how many levels up, perhaps how many places along an array, then a JSON pointer
 * or the `#` that asks for the key.
 */
export const isRelativeJsonPointer = (text: string): boolean => {
  const levelsEnd = digitsEnd(text, 0)
  if (levelsEnd === 0 || (levelsEnd > 1 && text.startsWith("0"))) return false
  const isMoved = text[levelsEnd] === "+" || text[levelsEnd] === "-"
  const end = isMoved ? digitsEnd(text, levelsEnd + 1) : levelsEnd
  if (isMoved && (end === levelsEnd + 1 || text[levelsEnd + 1] === "0")) return false
  const rest = text.slice(end)
  return rest === "#" || isJsonPointer(rest)
}

/** Where the digits that begin at `start` end. */
const digitsEnd = (text: string, start: number): number => {
  let end = start
  while (text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++
  return end
}
