/** Text of a remote, as much of it as is kept. */

/** At most `maxBytes` bytes of UTF-8, cut between code points. */
export const boundText = (text: string, maxBytes: number): string => {
  // No code unit is shorter than a byte; what lies far behind the bound need not be encoded.
  const head = text.length > maxBytes ? text.slice(0, maxBytes) : text
  if (Buffer.byteLength(head) <= maxBytes) return endsInHalf(head) ? head.slice(0, -1) : head
  const bytes = Buffer.from(head)
  let end = maxBytes
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString("utf8", 0, end)
}

const endsInHalf = (text: string): boolean => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800
