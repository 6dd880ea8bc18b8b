import { evaluatedBy } from "../evaluatedBy.ts"
import { explainChild } from "../explainNode.ts"
import { onObject } from "../Keyword.ts"
import { unknownProperty } from "../members.ts"
import { schema } from "../shapes.ts"
import { charge } from "../steps.ts"
import { memberRules } from "./properties.ts"

const name = "unevaluatedProperties"

/** JSON Schema core §11.3. Runs behind all other keywords of its node. */
export const unevaluatedProperties = onObject({
  name,
  shape: schema,
  check: (rest) => (value, seen) => {
    for (const key in value) {
      charge(4)
      if (seen?.hasProperty(key) !== true && !rest.check(value[key], undefined)) return false
    }
    if (seen !== undefined) seen.isWholeObject = true
    return true
  },
  explain(rest, value, at, report, node) {
    const seen = evaluatedBy(node, name, "object", value)
    if (seen === undefined) return
    for (const key in value) {
      if (report.isFull) return
      if (seen.hasProperty(key)) continue
      if (rest.verdict !== false) explainChild(rest, value[key], at, key, report)
      else report.add(at, () => unknownProperty(key, value, memberRules(node).declared))
    }
  }
})
