/** Punycode (RFC 3492), the ASCII form of international labels. */

const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_N = 0x80
const MAX_CODE_POINT = 0x10ffff
/** Far above what a label can need, far below where integers get inexact. */
const MAX_DELTA = 0x7fff_ffff

/**
 * The text that `code` stands for (RFC 3492 §6.2), `undefined` if it stands for none. Takes quadratic time: callers bound
 * `code` to one label.
 */
export const decodePunycode = (code: string): string | undefined => {
  const basic = Math.max(code.lastIndexOf("-"), 0)
  const output = Array.from(code.slice(0, basic), toCodePoint)
  let n = INITIAL_N
  let bias = INITIAL_BIAS
  let position = 0
  let start = basic > 0 ? basic + 1 : 0
  while (start < code.length) {
    const integer = readInteger(code, start, bias)
    if (integer === undefined) return undefined
    const length = output.length + 1
    bias = adapt(integer.value, length, output.length === basic)
    position += integer.value
    n += Math.floor(position / length)
    position %= length
    if (n > MAX_CODE_POINT || isSurrogate(n)) return undefined
    output.splice(position++, 0, n)
    start = integer.end
  }
  return String.fromCodePoint(...output)
}

/** The code for `text` (RFC 3492 §6.3). Takes quadratic time: callers bound `text` to one label. */
export const encodePunycode = (text: string): string => {
  const input = Array.from(text, toCodePoint)
  const basic = input.filter((codePoint) => codePoint < INITIAL_N)
  let code = basic.length > 0 ? `${String.fromCodePoint(...basic)}-` : ""
  let n = INITIAL_N
  let bias = INITIAL_BIAS
  let delta = 0
  let handled = basic.length
  while (handled < input.length) {
    const smallest = n
    const next = Math.min(...input.filter((codePoint) => codePoint >= smallest))
    delta += (next - n) * (handled + 1)
    for (const codePoint of input) {
      if (codePoint < next) delta++
      if (codePoint !== next) continue
      code += writeInteger(delta, bias)
      bias = adapt(delta, handled + 1, handled === basic.length)
      delta = 0
      handled++
    }
    delta++
    n = next + 1
  }
  return code
}

const toCodePoint = (character: string): number => character.codePointAt(0) ?? 0
const isSurrogate = (codePoint: number): boolean => codePoint >= 0xd800 && codePoint <= 0xdfff

const threshold = (k: number, bias: number): number => Math.min(Math.max(k - bias, T_MIN), T_MAX)

/** One integer of variable length that begins at `start` (RFC 3492 §3.3). */
const readInteger = (code: string, start: number, bias: number): { value: number; end: number } | undefined => {
  let value = 0
  let weight = 1
  for (let index = start, k = BASE; index < code.length; index++, k += BASE) {
    const digit = toDigit(code.charCodeAt(index))
    value += digit * weight
    if (digit < 0 || value > MAX_DELTA) return undefined
    const least = threshold(k, bias)
    if (digit < least) return { value, end: index + 1 }
    weight *= BASE - least
  }
  return undefined
}

const writeInteger = (delta: number, bias: number): string => {
  let code = ""
  let rest = delta
  for (let k = BASE; ; k += BASE) {
    const least = threshold(k, bias)
    if (rest < least) return code + fromDigit(rest)
    const radix = BASE - least
    code += fromDigit(least + ((rest - least) % radix))
    rest = Math.floor((rest - least) / radix)
  }
}

/** Adapts the bias to the deltas seen so far (RFC 3492 §6.1). */
const adapt = (delta: number, length: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

/** a–z are 0–25, 0–9 are 26–35 (RFC 3492 §5); -1 for anything else. */
const toDigit = (unit: number): number => {
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x61
  if (unit >= 0x41 && unit <= 0x5a) return unit - 0x41
  return unit >= 0x30 && unit <= 0x39 ? unit - 0x30 + 26 : -1
}

const fromDigit = (digit: number): string => String.fromCharCode(digit < 26 ? digit + 0x61 : digit - 26 + 0x30)
