import * as Result from "effect/Result"
import { describe } from "../describe.ts"
import { onString, type Shape } from "../Keyword.ts"
import { compilePattern, type Pattern } from "../patterns/compilePattern.ts"

/** A regular expression whose cost is bounded. */
export const safePattern: Shape<Pattern> = (raw, reader) => {
  if (typeof raw !== "string") return reader.fail("must be a string")
  const pattern = compilePattern(raw)
  return Result.isSuccess(pattern) ? pattern.success : reader.fail(pattern.failure)
}

/** JSON Schema validation §6.3.3; unanchored, as ECMA-262 reads it. */
export const pattern = onString({
  name: "pattern",
  shape: safePattern,
  check: (given) => given.test,
  message: (given, value) => `must match the pattern ${describe(given.source)}, got ${describe(value)}`,
  source: (given, emit, name) => `${emit.constant(given.test)}(${name})`
})
