import { counted } from "../describe.ts"
import { onArray } from "../Keyword.ts"
import { natural } from "../shapes.ts"

/** JSON Schema validation §6.4.1. */
export const maxItems = onArray({
  name: "maxItems",
  shape: natural,
  check: (max) => (value) => value.length <= max,
  message: (max, value) => `must have at most ${counted(max, "item")}, got ${value.length}`,
  source: (max, _emit, name) => `${name}.length <= ${max}`
})
