/** Text of a server for a terminal: what could move the cursor or turn the direction of text is shown escaped. */
export const printable = (text: string): string =>
  text.replaceAll(UNPRINTABLE, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)

/** The same value as JSON: JSON's own writer leaves C1 controls and signs of direction as they are. */
export const printableJson = (value: unknown): string =>
  (JSON.stringify(value, undefined, 2) ?? "null").replaceAll(UNPRINTABLE, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")
  )

const UNPRINTABLE = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** On one line, cut where it is longer than that many signs. */
export const oneLine = (text: string, signs: number): string => {
  const line = printable(text.replaceAll(/\s+/g, " ").trim())
  const all = Array.from(line)
  return all.length > signs ? `${all.slice(0, signs - 1).join("")}…` : line
}
