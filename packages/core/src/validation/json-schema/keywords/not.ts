import { describe } from "../describe.ts"
import { onAny } from "../Keyword.ts"
import { schema } from "../shapes.ts"
import { charge } from "../steps.ts"

/** JSON Schema core §10.2.1.4. */
export const not = onAny({
  name: "not",
  shape: schema,
  check: (refused) => (value) => {
    charge(4)
    return !refused.check(value, undefined)
  },
  message: (_refused, value) => `must not match the schema under "not", got ${describe(value)}`,
  inPlace: (refused) => [refused]
})
