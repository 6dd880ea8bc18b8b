import { describe } from "../describe.ts"
import { formatOf } from "../formats/formats.ts"
import { onAny } from "../Keyword.ts"
import { text } from "../shapes.ts"
import { charge } from "../steps.ts"
import type { Check } from "../SchemaNode.ts"

/** Asserted for the names of `formatOf`; a name that is not known says nothing (JSON Schema validation §7). */
export const format = onAny({
  name: "format",
  shape: text,
  check(name): Check | undefined {
    const known = formatOf(name)
    if (known === undefined) return undefined
    if (known.appliesTo === "number") return (value) => typeof value !== "number" || known.test(value)
    return (value) => {
      if (typeof value !== "string") return true
      charge(known.stepsPerText + value.length * known.stepsPerCharacter)
      return known.test(value)
    }
  },
  message: (name, value) => `must be a valid ${name}, got ${describe(value)}`
})
