import { evaluatedBy } from "../evaluatedBy.ts"
import { explainChild } from "../explainNode.ts"
import { onArray } from "../Keyword.ts"
import { schema } from "../shapes.ts"
import { charge } from "../steps.ts"

const name = "unevaluatedItems"

/** JSON Schema core §11.2. Runs behind all other keywords of its node. */
export const unevaluatedItems = onArray({
  name,
  shape: schema,
  check: (rest) => (value, seen) => {
    charge(4 * value.length)
    for (const [index, item] of value.entries()) {
      if (seen?.hasItem(index) !== true && !rest.check(item, undefined)) return false
    }
    if (seen !== undefined) seen.isWholeArray = true
    return true
  },
  explain(rest, value, at, report, node) {
    const seen = evaluatedBy(node, name, "array", value)
    if (seen === undefined) return
    for (const [index, item] of value.entries()) {
      if (report.isFull) return
      if (!seen.hasItem(index)) explainChild(rest, item, at, index, report)
    }
  }
})
