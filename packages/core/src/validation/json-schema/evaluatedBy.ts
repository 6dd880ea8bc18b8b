/** What the other keywords of a node answer for, where an `unevaluated…` keyword has to explain itself. */
import { Evaluated } from "./Evaluated.ts"
import type { Check, Kind } from "./Keyword.ts"
import type { SchemaNode } from "./SchemaNode.ts"

export const evaluatedBy = (node: SchemaNode, asking: string, kind: Kind, value: unknown): Evaluated => {
  const seen = new Evaluated()
  for (const { keyword, check } of node.assertions) {
    // `kind` is the value's.
    if (keyword.name !== asking && (keyword.on === "any" || keyword.on === kind)) (check as Check)(value, seen)
  }
  return seen
}
