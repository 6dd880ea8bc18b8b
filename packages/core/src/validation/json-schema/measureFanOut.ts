/** The cost of a schema at one value: how many schemas judge it once references are expanded. */
import { SchemaRejectedError } from "../../errors/SchemaRejectedError.ts"
import { ValidationLimits } from "../../limits/SchemaLimits.ts"
import type { SchemaNode } from "./SchemaNode.ts"

const { fanOut, inPlaceDepth } = ValidationLimits.table

interface Weight {
  readonly count: number
  readonly depth: number
}

const leaf: Weight = { count: 1, depth: 0 }

/**
 * Fails for a schema that applies itself to the same value, and for one that is applied too often or too deep.
 * `applicators` are the nodes that apply others in place.
 */
export const measureFanOut = (applicators: ReadonlyArray<SchemaNode>): void => {
  if (applicators.length === 0) return
  const known = new Map<SchemaNode, Weight | "unknown" | "open">(applicators.map((node) => [node, "unknown"]))
  const weigh = (node: SchemaNode, level: number): Weight => {
    const weight = known.get(node) ?? leaf
    if (weight === "open") throw refused(node, "references form a loop that consumes nothing")
    if (weight !== "unknown") return weight
    // Before the stack is at its end.
    if (level > inPlaceDepth.hardCap) throw tooDeep(node)
    known.set(node, "open")
    let count = 1
    let depth = 0
    for (const { keyword, value } of node.parts) {
      if (keyword.inPlace === undefined) continue
      for (const inner of keyword.inPlace(value, node)) {
        const below = weigh(inner, level + 1)
        count += below.count
        depth = Math.max(depth, below.depth + 1)
      }
    }
    if (count > fanOut.hardCap) {
      throw refused(node, `combinators expand to more than ${fanOut.hardCap} schemas for one value`)
    }
    if (depth > inPlaceDepth.hardCap) throw tooDeep(node)
    const measured = { count, depth }
    known.set(node, measured)
    return measured
  }
  for (const node of applicators) weigh(node, 0)
}

const tooDeep = (node: SchemaNode): SchemaRejectedError =>
  refused(node, `combinators nest deeper than ${inPlaceDepth.hardCap} for one value`)

const refused = (node: SchemaNode, reason: string): SchemaRejectedError =>
  new SchemaRejectedError({ pointer: node.pointer, reason })
