/** How many bytes a text weighs, for the bounds that count bytes. */

/** Bytes of `text` in UTF-8. A lone surrogate counts as the three bytes of its replacement. */
export const utf8ByteLength = (text: string): number => {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (isPairAt(text, index)) {
      bytes += 2
      index++
    } else bytes += 2
  }
  return bytes
}

/** Whether `text` weighs more than `max` bytes of UTF-8. Counts only where its length leaves a doubt. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max || (text.length * 3 > max && utf8ByteLength(text) > max)

const isPairAt = (text: string, index: number): boolean => {
  const next = text.charCodeAt(index + 1)
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00
}
