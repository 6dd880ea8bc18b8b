import { alternativeSchemas, explainNoMatch, explainSelected, isSelectedMatch } from "../alternatives.ts"
import { onAny } from "../Keyword.ts"
import type { SchemaNode } from "../SchemaNode.ts"
import { charge } from "../steps.ts"
import { matchAll } from "./anyOf.ts"

/** JSON Schema core §10.2.1.3. */
export const oneOf = onAny({
  name: "oneOf",
  shape: alternativeSchemas,
  check({ branches, discriminator }) {
    if (discriminator !== undefined) return (value, seen) => isSelectedMatch(discriminator, value, seen)
    return (value, seen) => (seen === undefined ? countMatches(branches, value) : matchAll(branches, value, seen)) === 1
  },
  explain({ branches, discriminator }, value, at, report) {
    if (discriminator !== undefined) return explainSelected(discriminator, value, at, report)
    const count = countMatches(branches, value)
    if (count === 0) explainNoMatch(branches, value, at, report)
    if (count > 1) report.add(at, `must match exactly one of ${branches.length} alternatives, but matches several`)
  },
  inPlace: ({ branches }) => branches
})

/** Stops at the second match. */
const countMatches = (branches: ReadonlyArray<SchemaNode>, value: unknown): number => {
  charge(4 * branches.length)
  let count = 0
  for (const branch of branches) if (branch.check(value, undefined) && ++count > 1) break
  return count
}
