/** `uri-template` (RFC 6570). */
import { once } from "./once.ts"
import { areEscapesWhole, iprivate, ucschar } from "./uris.ts"

/** What no literal holds (RFC 6570 §2.1); the apostrophe is allowed by erratum 6937. */
const notLiteral = once(() => new RegExp(`[^!#$&-;=?-\\[\\]_a-z~%${ucschar}${iprivate}]`, "u"))
/** What no variable name holds (RFC 6570 §2.3). */
const notName = /[^\w.%]/
/** `op-level2`, `op-level3` and `op-reserve` (RFC 6570 §2.2). */
const operators = "+#./;?&=,!@|"
const MAX_PREFIX_DIGITS = 4

/** Literals and expressions by the grammar of all four levels. What is reserved for extensions is grammatical too. */
export const isUriTemplate = (text: string): boolean => {
  if (!areEscapesWhole(text)) return false
  let literalStart = 0
  for (let open = text.indexOf("{"); open >= 0; open = text.indexOf("{", literalStart)) {
    const close = text.indexOf("}", open)
    if (close < 0 || !isLiteral(text.slice(literalStart, open)) || !isExpression(text.slice(open + 1, close)))
      return false
    literalStart = close + 1
  }
  return isLiteral(text.slice(literalStart))
}

const isLiteral = (text: string): boolean => !notLiteral().test(text)

/** What is between braces: an operator perhaps, then variables. */
const isExpression = (text: string): boolean => {
  let start = text !== "" && operators.includes(text.charAt(0)) ? 1 : 0
  for (let comma = text.indexOf(",", start); comma >= 0; comma = text.indexOf(",", start)) {
    if (!isVariable(text.slice(start, comma))) return false
    start = comma + 1
  }
  return isVariable(text.slice(start))
}

/** `varspec` (RFC 6570 §2.3, §2.4): a name, and `*` or `:` with a number below 10000. */
const isVariable = (text: string): boolean => {
  if (text.endsWith("*")) return isName(text.slice(0, -1))
  const colon = text.indexOf(":")
  if (colon < 0) return isName(text)
  const digits = text.length - colon - 1
  return digits <= MAX_PREFIX_DIGITS && /^[1-9]\d*$/.test(text.slice(colon + 1)) && isName(text.slice(0, colon))
}

/** Dots stand between other characters only. Escapes were looked at before: one that a dot cuts is broken. */
const isName = (text: string): boolean =>
  text !== "" && !notName.test(text) && !text.startsWith(".") && !text.endsWith(".") && !text.includes("..")
