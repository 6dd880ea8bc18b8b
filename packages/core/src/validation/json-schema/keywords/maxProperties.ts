import { counted } from "../describe.ts"
import { onObject } from "../Keyword.ts"
import { countOf } from "../members.ts"
import { natural } from "../shapes.ts"

/** JSON Schema validation §6.5.1. */
export const maxProperties = onObject({
  name: "maxProperties",
  shape: natural,
  check: (max) => (value) => countOf(value) <= max,
  message: (max, value) => `must have at most ${counted(max, "property")}, got ${countOf(value)}`
})
