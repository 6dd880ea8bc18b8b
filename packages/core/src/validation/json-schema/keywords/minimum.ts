import { onNumber } from "../Keyword.ts"
import { exclusiveBound, finite } from "../shapes.ts"
import type { Check } from "../SchemaNode.ts"

const check = (limit: number, isExclusive: boolean): Check<number> =>
  isExclusive ? (value) => value > limit : (value) => value >= limit

/** JSON Schema validation §6.2.4; draft-04 §5.1.3 with a boolean beside it. */
export const minimum = onNumber({
  name: "minimum",
  shape: finite,
  check: (limit, node) => check(limit, node.get(exclusiveMinimum) === true),
  message: (limit, value, node) =>
    `must be ${node.get(exclusiveMinimum) === true ? "above" : "at least"} ${limit}, got ${value}`,
  source: (limit, emit, name, node) =>
    `${name} ${node.get(exclusiveMinimum) === true ? ">" : ">="} ${emit.number(limit)}`
})

/** JSON Schema validation §6.2.5. */
export const exclusiveMinimum = onNumber({
  name: "exclusiveMinimum",
  shape: exclusiveBound,
  check: (limit) => (typeof limit === "number" ? check(limit, true) : undefined),
  message: (limit, value) => `must be above ${String(limit)}, got ${value}`,
  source: (limit, emit, name) => (typeof limit === "number" ? `${name} > ${emit.number(limit)}` : undefined)
})
