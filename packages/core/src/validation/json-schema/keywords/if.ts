import { Evaluated } from "../Evaluated.ts"
import { explainNode } from "../explainNode.ts"
import { onAny } from "../Keyword.ts"
import type { SchemaNode } from "../SchemaNode.ts"
import { schema } from "../shapes.ts"
import { charge } from "../steps.ts"

/** JSON Schema core §10.2.2. */
export const ifKeyword = onAny({
  name: "if",
  shape: schema,
  check(condition, node) {
    const whenTrue = node.get(thenKeyword)
    const whenFalse = node.get(elseKeyword)
    return (value, seen) => {
      charge(4)
      const own = seen === undefined ? undefined : new Evaluated()
      const holds = condition.check(value, own)
      if (holds && own !== undefined) seen?.merge(own)
      return (holds ? whenTrue : whenFalse)?.check(value, seen) !== false
    }
  },
  explain(condition, value, at, report, node) {
    const branch = node.get(condition.check(value, undefined) ? thenKeyword : elseKeyword)
    if (branch !== undefined) explainNode(branch, value, at, report)
  },
  inPlace: (condition) => [condition]
})

/** Without `if` it is not applied. */
const branchOf = (branch: SchemaNode, node: SchemaNode): ReadonlyArray<SchemaNode> =>
  node.get(ifKeyword) === undefined ? [] : [branch]

/** Read by `if`. */
export const thenKeyword = onAny({ name: "then", shape: schema, inPlace: branchOf })
/** Read by `if`. */
export const elseKeyword = onAny({ name: "else", shape: schema, inPlace: branchOf })
