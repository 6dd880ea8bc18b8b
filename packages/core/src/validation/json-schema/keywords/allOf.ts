import { explainNode } from "../explainNode.ts"
import { onAny } from "../Keyword.ts"
import { schemas } from "../shapes.ts"
import { charge } from "../steps.ts"

/** JSON Schema core §10.2.1.1. */
export const allOf = onAny({
  name: "allOf",
  shape: schemas,
  check: (branches) => (value, seen) => {
    charge(4 * branches.length)
    for (const branch of branches) if (!branch.check(value, seen)) return false
    return true
  },
  explain(branches, value, at, report) {
    for (const branch of branches) explainNode(branch, value, at, report)
  },
  inPlace: (branches) => branches
})
