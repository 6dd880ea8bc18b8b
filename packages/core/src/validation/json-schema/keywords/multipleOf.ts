import { onNumber } from "../Keyword.ts"
import { positive } from "../shapes.ts"
import { charge } from "../steps.ts"

/** JSON Schema validation §6.2.1. Right for decimals: 0.3 is a multiple of 0.1. */
export const multipleOf = onNumber({
  name: "multipleOf",
  shape: positive,
  check: (divisor) => (value) => isMultiple(value, divisor),
  message: (divisor, value) => `must be a multiple of ${divisor}, got ${value}`
})

const isMultiple = (value: number, divisor: number): boolean => {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  const left = decimalOf(value)
  const right = decimalOf(divisor)
  const exponent = Math.min(left.exponent, right.exponent)
  // Both become integers of as many digits as their exponents are apart.
  charge(44 + Math.max(left.exponent, right.exponent) - exponent)
  return scaled(left, exponent) % scaled(right, exponent) === 0n
}

/** `digits · 10^exponent`, of the shortest decimal that reads back as the number: the one its author wrote. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

const decimalOf = (value: number): Decimal => {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e")
  const [whole = "0", fraction = ""] = mantissa.split(".")
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

const scaled = ({ digits, exponent }: Decimal, to: number): bigint => digits * 10n ** BigInt(exponent - to)
