import { quote } from "../describe.ts"
import { explainNode } from "../explainNode.ts"
import { onAny } from "../Keyword.ts"
import type { Keyword, SchemaNode, Shape } from "../SchemaNode.ts"
import { charge } from "../steps.ts"

/** Where a reference leads; filled in when the whole document is read. */
interface Reference {
  readonly target: SchemaNode
}

const local: Shape<Reference> = (raw, reader) => {
  if (typeof raw !== "string") return reader.fail("must be a string")
  if (raw.startsWith("#")) return reader.reference(raw)
  return reader.fail(`remote $ref is not allowed: ${quote(raw)}`)
}

const reference = (name: string): Keyword<Reference, unknown> =>
  onAny({
    name,
    shape: local,
    check: (given) => (value, seen) => {
      charge(4)
      return given.target.check(value, seen)
    },
    explain: ({ target }, value, at, report) => explainNode(target, value, at, report),
    inPlace: ({ target }) => [target]
  })

/** JSON Schema core §8.2.3.1. Only what begins with `#` is followed: a schema never makes the host fetch anything. */
export const ref = reference("$ref")
/** JSON Schema core §8.2.3.2. */
export const dynamicRef = reference("$dynamicRef")
/** JSON Schema core (2019-09) §8.2.4.2.1. */
export const recursiveRef = reference("$recursiveRef")
