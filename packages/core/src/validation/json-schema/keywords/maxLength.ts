import { countCodePoints, hasAtMost } from "../codePoints.ts"
import { counted } from "../describe.ts"
import { onString } from "../Keyword.ts"
import { natural } from "../shapes.ts"

/** JSON Schema validation §6.3.1; in characters, not UTF-16 units. */
export const maxLength = onString({
  name: "maxLength",
  shape: natural,
  check: (max) => (value) => value.length <= max || hasAtMost(value, max),
  message: (max, value) => `must have at most ${counted(max, "character")}, got ${countCodePoints(value)}`,
  source: (max, emit, name) => `${name}.length <= ${max} || ${emit.constant(hasAtMost)}(${name}, ${max})`
})
