import { explainChild } from "../explainNode.ts"
import { onArray } from "../Keyword.ts"
import type { Place, Report } from "../Report.ts"
import type { Check, SchemaNode } from "../SchemaNode.ts"
import { schemas } from "../shapes.ts"
import { charge } from "../steps.ts"

type Tuple = ReadonlyArray<SchemaNode>

/** Each of the first items has a schema of its own. */
export const checkTuple =
  (tuple: Tuple): Check<ReadonlyArray<unknown>> =>
  (value, seen) => {
    const length = Math.min(value.length, tuple.length)
    charge(length)
    for (let index = 0; index < length; index++)
      if (tuple[index]?.check(value[index], undefined) === false) return false
    if (seen !== undefined) seen.prefix = Math.max(seen.prefix, length)
    return true
  }

export const explainTuple = (tuple: Tuple, value: ReadonlyArray<unknown>, at: Place, report: Report): void => {
  for (const [index, node] of tuple.slice(0, value.length).entries()) {
    explainChild(node, value[index], at, index, report)
  }
}

/** JSON Schema core §10.3.1.1. */
export const prefixItems = onArray({
  name: "prefixItems",
  shape: schemas,
  check: checkTuple,
  explain: explainTuple
})
