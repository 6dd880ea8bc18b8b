import { counted } from "../describe.ts"
import { explainChild } from "../explainNode.ts"
import { onArray } from "../Keyword.ts"
import { failsAfter, passedItems } from "../passedItems.ts"
import type { Place, Report } from "../Report.ts"
import type { Check, SchemaNode } from "../SchemaNode.ts"
import { isList, itemSchemas, schema } from "../shapes.ts"
import { charge, listCost } from "../steps.ts"
import { checkTuple, explainTuple, prefixItems } from "./prefixItems.ts"

/** Every item from `start` on. */
const checkRest =
  (rest: SchemaNode, start: number): Check<ReadonlyArray<unknown>> =>
  (value, seen) => {
    if (value.length <= start) return true
    charge(listCost(value.length))
    for (let index = start; index < value.length; index++) {
      if (!rest.check(value[index], undefined)) return failsAfter(value, rest, index)
    }
    if (seen !== undefined) seen.isWholeArray = true
    return true
  }

const explainRest = (
  rest: SchemaNode,
  start: number,
  value: ReadonlyArray<unknown>,
  at: Place,
  report: Report
): void => {
  if (rest.verdict === false && value.length > start) {
    return report.add(at, `must have at most ${counted(start, "item")}, got ${value.length}`)
  }
  for (let index = Math.max(start, passedItems(value, rest)); index < value.length && !report.isFull; index++) {
    explainChild(rest, value[index], at, index, report)
  }
}

const prefixLength = (node: SchemaNode): number => node.get(prefixItems)?.length ?? 0

/** JSON Schema core §10.3.1.2; an array of schemas is the tuple of draft-04 to 2019-09. */
export const items = onArray({
  name: "items",
  shape: itemSchemas,
  check: (given, node) => (isList(given) ? checkTuple(given) : checkRest(given, prefixLength(node))),
  explain(given, value, at, report, node) {
    if (isList(given)) explainTuple(given, value, at, report)
    else explainRest(given, prefixLength(node), value, at, report)
  }
})

const tupleLength = (node: SchemaNode): number | undefined => {
  const given = node.get(items)
  return given !== undefined && isList(given) ? given.length : undefined
}

/** Draft-07 §6.4.2: the items behind a tuple. Says nothing where `items` is no tuple. */
export const additionalItems = onArray({
  name: "additionalItems",
  shape: schema,
  check(rest, node) {
    const start = tupleLength(node)
    return start === undefined ? undefined : checkRest(rest, start)
  },
  explain: (rest, value, at, report, node) => explainRest(rest, tupleLength(node) ?? 0, value, at, report)
})
