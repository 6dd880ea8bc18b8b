/** JSON text that loses nothing by being read. */
import { isList, isMembers } from "./shapes.ts"

/** Strings, with what says that one is a key, and numbers. Nothing in it can match in two ways. */
const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g

/** The value; nothing where the text is no JSON, where a number would lose digits, or where an object has a key twice. */
export const parseExact = (text: string): unknown => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  let keys = 0
  for (const [token, colon] of text.matchAll(TOKENS)) {
    if (colon !== undefined) keys++
    else if (!token.startsWith('"') && !isExact(token)) return undefined
  }
  return keys === countKeys(value) ? value : undefined
}

/** Fifteen significant digits come through; of more, and beyond the safe integers, nobody can be sure. */
const isExact = (token: string): boolean => {
  const value = Number(token)
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return false
  const [mantissa = ""] = token.split(/e/i)
  const digits = mantissa.replace("-", "").replace(".", "").replace(/^0+/, "")
  // Only zeros become zero: 1e-400 does not.
  return value === 0 ? digits === "" : digits.length <= 15 || String(value) === token
}

const countKeys = (value: unknown): number => {
  if (isList(value)) return value.reduce<number>((count, item) => count + countKeys(item), 0)
  if (!isMembers(value)) return 0
  const members = Object.values(value)
  return members.reduce<number>((count, member) => count + countKeys(member), members.length)
}
