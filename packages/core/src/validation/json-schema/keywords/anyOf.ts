import { alternativeSchemas, explainNoMatch, explainSelected, isSelectedMatch } from "../alternatives.ts"
import { Evaluated } from "../Evaluated.ts"
import { onAny } from "../Keyword.ts"
import type { SchemaNode } from "../SchemaNode.ts"
import { charge } from "../steps.ts"

/** JSON Schema core §10.2.1.2. */
export const anyOf = onAny({
  name: "anyOf",
  shape: alternativeSchemas,
  check({ branches, discriminator }) {
    if (discriminator !== undefined) return (value, seen) => isSelectedMatch(discriminator, value, seen)
    return (value, seen) => (seen === undefined ? matchesAny(branches, value) : matchAll(branches, value, seen) > 0)
  },
  explain({ branches, discriminator }, value, at, report) {
    if (discriminator !== undefined) explainSelected(discriminator, value, at, report)
    else if (!matchesAny(branches, value)) explainNoMatch(branches, value, at, report)
  },
  inPlace: ({ branches }) => branches
})

const matchesAny = (branches: ReadonlyArray<SchemaNode>, value: unknown): boolean => {
  charge(4 * branches.length)
  for (const branch of branches) if (branch.check(value, undefined)) return true
  return false
}

/** How many branches match; what they answer for is added to `seen`. */
export const matchAll = (branches: ReadonlyArray<SchemaNode>, value: unknown, seen: Evaluated): number => {
  charge(4 * branches.length)
  let matches = 0
  for (const branch of branches) {
    const own = new Evaluated()
    if (!branch.check(value, own)) continue
    matches++
    seen.merge(own)
  }
  return matches
}
