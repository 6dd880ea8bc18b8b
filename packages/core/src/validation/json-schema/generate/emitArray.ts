/** The code for an array: one loop where one schema is for all items. */
import { items } from "../keywords/items.ts"
import { maxItems } from "../keywords/maxItems.ts"
import { prefixItems } from "../keywords/prefixItems.ts"
import { failsAfter } from "../passedItems.ts"
import type { Assertion, SchemaNode } from "../SchemaNode.ts"
import { isList } from "../shapes.ts"
import { listCost } from "../steps.ts"
import { type Emission, failUnless, sourceOf } from "./Emission.ts"

export const emitArray = (
  emission: Emission,
  node: SchemaNode,
  assertions: ReadonlyArray<Assertion>,
  isBound: boolean
): string => {
  const { emit, within } = emission
  const each = schemaOfAll(node)
  const tests = assertions
    .filter(({ keyword }) => each === undefined || keyword !== items)
    .map((assertion) => sourceOf(emit, node, assertion, "v"))
  if (each === undefined) return [...(isBound ? [`${within}(v, d)`] : []), ...tests].map(failUnless).join("")
  const bounds = isBound ? boundTests(emission, node) : []
  return [...bounds, ...tests].map(failUnless).join("") + emitLoop(emission, each, isBound)
}

const schemaOfAll = (node: SchemaNode): SchemaNode | undefined => {
  const given = node.get(items)
  return given === undefined || isList(given) || node.get(prefixItems) !== undefined ? undefined : given
}

const boundTests = ({ limits }: Emission, node: SchemaNode): ReadonlyArray<string> => {
  const isCloser = (node.get(maxItems) ?? Infinity) <= limits.maxArrayLength
  const length = isCloser ? [] : [`v.length <= ${limits.maxArrayLength}`]
  return [`d < ${limits.maxDepth} || v.length === 0`, ...length]
}

const emitLoop = ({ charge, emit, expression }: Emission, each: SchemaNode, isBound: boolean): string => {
  // Twice where the bounds are checked as well: the first tier goes through the list for each.
  const cost = `${isBound ? "2 * " : ""}${emit.constant(listCost)}(v.length)`
  const failed = `${emit.constant(failsAfter)}(v, ${emit.constant(each)}, i${isBound ? ", d" : ""})`
  return `${charge}(${cost})
for (let i = 0; i < v.length; i++) {
const x = v[i]
if (!(${expression(each, isBound, "x", "d + 1")})) return ${failed}
}
`
}
