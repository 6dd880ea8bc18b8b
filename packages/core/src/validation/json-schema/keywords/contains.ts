import { counted } from "../describe.ts"
import { onArray } from "../Keyword.ts"
import type { SchemaNode } from "../SchemaNode.ts"
import { natural, schema } from "../shapes.ts"
import { charge } from "../steps.ts"

/** JSON Schema core §10.3.1.3, with `minContains` and `maxContains`. Matching items count as evaluated since 2020-12. */
export const contains = onArray({
  name: "contains",
  shape: schema,
  check(wanted, node) {
    const [min, max] = boundsOf(node)
    const { containsEvaluates } = node.resource.dialect
    return (value, seen) => {
      if (seen !== undefined && containsEvaluates) {
        for (const [index, item] of value.entries()) if (wanted.check(item, undefined)) seen.items.add(index)
      }
      const found = count(wanted, value)
      return found >= min && found <= max
    }
  },
  message(wanted, value, node) {
    const [min, max] = boundsOf(node)
    const found = count(wanted, value)
    const bound = found < min ? `at least ${counted(min, "item")}` : `at most ${counted(max, "item")}`
    return `must contain ${bound} that match, got ${found}`
  }
})

const boundsOf = (node: SchemaNode): readonly [number, number] => [
  node.get(minContains) ?? 1,
  node.get(maxContains) ?? Infinity
]

const count = (wanted: SchemaNode, value: ReadonlyArray<unknown>): number => {
  charge(3 * value.length)
  let found = 0
  for (const item of value) if (wanted.check(item, undefined)) found++
  return found
}

/** Read by `contains`. */
export const minContains = onArray({ name: "minContains", shape: natural })
/** Read by `contains`. */
export const maxContains = onArray({ name: "maxContains", shape: natural })
