/** `byte`. */

const notBase64 = /[^A-Za-z\d+/]/

/** Base64 with its padding and without line breaks (RFC 4648 §4). Spare bits at the end are not looked at (§3.5). */
export const isBase64 = (text: string): boolean => {
  if (text.length % 4 !== 0) return false
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  return !notBase64.test(text.slice(0, text.length - padding))
}
