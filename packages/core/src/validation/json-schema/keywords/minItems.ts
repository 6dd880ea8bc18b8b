import { counted } from "../describe.ts"
import { onArray } from "../Keyword.ts"
import { natural } from "../shapes.ts"

/** JSON Schema validation §6.4.2. */
export const minItems = onArray({
  name: "minItems",
  shape: natural,
  check: (min) => (value) => value.length >= min,
  message: (min, value) => `must have at least ${counted(min, "item")}, got ${value.length}`,
  source: (min, _emit, name) => `${name}.length >= ${min}`
})
