/** Known secrets out of one string. */
import type { Secrets } from "../ports/Redaction.ts"

/** Returns the text with something in place of each secret in it; the same string when there is none. */
export type ReplaceText = (text: string) => string

/** What stands where a secret was. */
export const REDACTED = "[REDACTED]"

/**
 * Replaces every occurrence of every secret, by exact and case-sensitive comparison. Occurrences that overlap become
 * one replacement, so no fragment of a longer or crossing secret is left over. Undefined when no secret is left to
 * know.
 */
export const makeReplaceText = (secrets: Secrets): ReplaceText | undefined => {
  const known = [...new Set(secrets)].filter((secret): secret is string => typeof secret === "string" && secret !== "")
  if (known.length === 0) return undefined
  let shortest = Infinity
  for (const secret of known) shortest = Math.min(shortest, secret.length)
  return (text) => {
    if (text.length < shortest) return text
    for (const secret of known) if (text.includes(secret)) return replaceRanges(text, rangesOf(text, known))
    return text
  }
}

interface Range {
  readonly start: number
  end: number
}

/** Where secrets are in the original text: one range per group of occurrences that overlap, in order. */
const rangesOf = (text: string, known: ReadonlyArray<string>): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  for (const secret of known) {
    for (let start = text.indexOf(secret); start !== -1; start = text.indexOf(secret, start + 1)) {
      found.push({ start, end: start + secret.length })
    }
  }
  found.sort((a, b) => a.start - b.start)
  const merged: Array<Range> = []
  for (const range of found) {
    const last = merged.at(-1)
    if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end)
    else merged.push(range)
  }
  return merged
}

const replaceRanges = (text: string, ranges: ReadonlyArray<Range>): string => {
  const pieces: Array<string> = []
  let at = 0
  for (const range of ranges) {
    pieces.push(text.slice(at, range.start), REDACTED)
    at = range.end
  }
  pieces.push(text.slice(at))
  return pieces.join("")
}
