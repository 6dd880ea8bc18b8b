import { countCodePoints, hasAtLeast } from "../codePoints.ts"
import { counted } from "../describe.ts"
import { onString } from "../Keyword.ts"
import { natural } from "../shapes.ts"

/** JSON Schema validation §6.3.2; in characters, not UTF-16 units. */
export const minLength = onString({
  name: "minLength",
  shape: natural,
  check: (min) => (min < 2 ? (value) => value.length >= min : (value) => hasAtLeast(value, min)),
  message: (min, value) => `must have at least ${counted(min, "character")}, got ${countCodePoints(value)}`,
  source: (min, emit, name) => (min < 2 ? `${name}.length >= ${min}` : `${emit.constant(hasAtLeast)}(${name}, ${min})`)
})
