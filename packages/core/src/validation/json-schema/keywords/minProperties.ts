import { counted } from "../describe.ts"
import { onObject } from "../Keyword.ts"
import { natural } from "../shapes.ts"

/** JSON Schema validation §6.5.2. */
export const minProperties = onObject({
  name: "minProperties",
  shape: natural,
  check: (min) => (value) => Object.keys(value).length >= min,
  message: (min, value) => `must have at least ${counted(min, "property")}, got ${Object.keys(value).length}`
})
