/** Why a value does not match a schema: the slower pass that runs only after a check said no. */
import { describe } from "./describe.ts"
import { bitOf } from "./kinds.ts"
import type { Place, Report } from "./Report.ts"
import type { SchemaNode } from "./SchemaNode.ts"
import { charge } from "./steps.ts"

/** Keywords report in order of evaluation; those that match report nothing. */
export const explainNode = (node: SchemaNode, value: unknown, at: Place, report: Report): void => {
  if (node.verdict === false) return report.add(at, `must be absent, got ${describe(value)}`)
  charge(16)
  const bit = bitOf(value)
  // The bit says that the value is of the kind that the keyword takes.
  const instance = value as never
  for (const { bits, keyword, value: wanted, check } of node.assertions) {
    if (report.isFull) return
    if ((bit & bits) === 0) continue
    if (keyword.explain !== undefined) keyword.explain(wanted, instance, at, report, node)
    else if (!check(instance, undefined)) {
      report.add(at, () => keyword.message?.(wanted, instance, node) ?? `must match ${keyword.name}`)
    }
  }
}

/** Explains a member or item, if it fails. An array is entered at once: its items are judged one by one in any case. */
export const explainChild = (
  node: SchemaNode,
  value: unknown,
  parent: Place,
  key: string | number,
  report: Report
): void => {
  if (Array.isArray(value) || !node.judge(value)) explainNode(node, value, { parent, key }, report)
}
