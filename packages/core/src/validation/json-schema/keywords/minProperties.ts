import { counted } from "../describe.ts"
import { onObject } from "../Keyword.ts"
import { countOf } from "../members.ts"
import { natural } from "../shapes.ts"

/** JSON Schema validation §6.5.2. */
export const minProperties = onObject({
  name: "minProperties",
  shape: natural,
  check: (min) => (value) => countOf(value) >= min,
  message: (min, value) => `must have at least ${counted(min, "property")}, got ${countOf(value)}`
})
