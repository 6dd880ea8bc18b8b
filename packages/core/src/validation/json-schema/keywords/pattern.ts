import * as Result from "effect/Result"
import { describe } from "../describe.ts"
import { onString } from "../Keyword.ts"
import { compilePattern, type Pattern } from "../patterns/compilePattern.ts"
import { text } from "../shapes.ts"
import { charge } from "../steps.ts"
import type { Reader } from "../SchemaNode.ts"

/** A regular expression whose cost is bounded; to find that out costs two hundred steps a character. */
export const safePattern = (raw: string, reader: Reader, name?: string): Pattern => {
  charge(4_000 + 200 * raw.length)
  const pattern = compilePattern(raw)
  if (Result.isFailure(pattern)) return reader.fail(pattern.failure, name)
  charge(pattern.success.firstSteps)
  return pattern.success
}

/** JSON Schema validation §6.3.3; unanchored, as ECMA-262 reads it. */
export const pattern = onString({
  name: "pattern",
  shape: (raw, reader) => safePattern(text(raw, reader), reader),
  check: (given) => given.test,
  message: (given, value) => `must match the pattern ${describe(given.source)}, got ${describe(value)}`,
  source: (given, emit, name) => `${emit.constant(given.test)}(${name})`
})
