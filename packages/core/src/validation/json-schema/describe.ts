/** Words for values and names in messages: bounded, so that a message never carries a document. */
import { charge } from "./steps.ts"

const MAX_QUOTED = 60
const MAX_LISTED = 12
/** Characters of names that are compared, and how many others one name is compared with. */
const MAX_COMPARED = 40
const MAX_CANDIDATES = 64

/** What came. A text that is too long to quote is described, never cut: a part of a secret would pass a redactor. */
export const describe = (value: unknown): string => {
  if (typeof value === "string") return quote(value)
  if (Array.isArray(value))
    return value.length === 0 ? "an empty array" : `an array of ${counted(value.length, "item")}`
  if (typeof value === "object" && value !== null) return "an object"
  return typeof value === "number" || typeof value === "boolean" || value === null ? String(value) : typeof value
}

/** As it is: escapes would hide a secret from a redactor. */
export const quote = (text: string): string =>
  text.length > MAX_QUOTED ? `a string of ${text.length} characters` : `"${text}"`

/** `1 item`, `2 items`. */
export const counted = (count: number, noun: string): string => {
  const plural = noun === "property" ? "properties" : `${noun}s`
  return `${count} ${count === 1 ? noun : plural}`
}

/** `"a", "b" or "c"`, cut after a dozen. */
export const alternatives = (values: ReadonlyArray<unknown>): string => {
  const last = Math.min(values.length, MAX_LISTED) - 1
  let text = ""
  for (let index = 0; index <= last; index++) {
    const isLast = index === last && values.length <= MAX_LISTED
    text += (index === 0 ? "" : isLast ? " or " : ", ") + describe(values[index])
  }
  return values.length > MAX_LISTED ? `${text} or ${values.length - MAX_LISTED} more` : text
}

/** The name among `names` that is nearest to `name`, if one is near enough to be meant. */
export const nearestName = (name: string, names: Iterable<string>): string | undefined => {
  if (name.length > MAX_COMPARED) return undefined
  let best: string | undefined
  let least = Math.floor(name.length / 3) + 1
  let compared = 0
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) > least) continue
    if (++compared > MAX_CANDIDATES) break
    charge((candidate.length * name.length) >> 1)
    const distance = distanceOf(fold(name), fold(candidate))
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  return best
}

/** `file_path`, `filePath` and `FilePath` are one name to a reader. */
const fold = (name: string): string => name.replaceAll(/[-_\s]/g, "").toLowerCase()

/** Edits (insert, delete, replace, swap of neighbours) between two short names. */
const distanceOf = (from: string, to: string): number => {
  let before: Array<number> = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      let least = Math.min(
        cell(last, column) + 1,
        cell(next, column - 1) + 1,
        cell(last, column - 1) + (isSame ? 0 : 1)
      )
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        least = Math.min(least, cell(before, column - 2) + 1)
      }
      next.push(least)
    }
    before = last
    last = next
  }
  return cell(last, to.length)
}

const cell = (row: ReadonlyArray<number>, index: number): number => row[index] ?? Number.MAX_SAFE_INTEGER
