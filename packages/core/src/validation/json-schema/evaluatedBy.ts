/** What the other keywords of a node answer for, where an `unevaluated…` keyword has to explain itself. */
import { Evaluated } from "./Evaluated.ts"
import type { Check, Kind, SchemaNode } from "./SchemaNode.ts"

/** Nothing where another keyword fails: what it would have answered for is not known, and it has its own say. */
export const evaluatedBy = (node: SchemaNode, asking: string, kind: Kind, value: unknown): Evaluated | undefined => {
  const seen = new Evaluated()
  for (const { keyword, check } of node.assertions) {
    if (keyword.name === asking || (keyword.on !== "any" && keyword.on !== kind)) continue
    // `kind` is the value's.
    if (!(check as Check)(value, seen)) return undefined
  }
  return seen
}
