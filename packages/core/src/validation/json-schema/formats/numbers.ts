/** `int32`, `int64`, `float` and `double` (the formats of OpenAPI), which look at numbers. */

const INT32_MAX = 0x7fff_ffff
const INT64_MAX = 2 ** 63

/** A whole number of 32 bits with sign. */
export const isInt32 = (value: number): boolean =>
  Number.isInteger(value) && value >= -INT32_MAX - 1 && value <= INT32_MAX

/**
 * A whole number of 64 bits with sign. JSON's 9223372036854775807 is 2^63 by the time it is a number, so that is accepted.
 */
export const isInt64 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= INT64_MAX

/** A number that is still finite in single precision; digits beyond it are not looked at. */
export const isFloat = (value: number): boolean => Number.isFinite(Math.fround(value))

/** A number that is finite in double precision, as every number of JSON is. */
export const isDouble = (value: number): boolean => Number.isFinite(value)
