import { onNumber } from "../Keyword.ts"
import { exclusiveBound, finite } from "../shapes.ts"
import type { Check } from "../SchemaNode.ts"

const check = (limit: number, isExclusive: boolean): Check<number> =>
  isExclusive ? (value) => value < limit : (value) => value <= limit

/** JSON Schema validation §6.2.2; draft-04 §5.1.2 with a boolean beside it. */
export const maximum = onNumber({
  name: "maximum",
  shape: finite,
  check: (limit, node) => check(limit, node.get(exclusiveMaximum) === true),
  message: (limit, value, node) =>
    `must be ${node.get(exclusiveMaximum) === true ? "below" : "at most"} ${limit}, got ${value}`,
  source: (limit, emit, name, node) =>
    `${name} ${node.get(exclusiveMaximum) === true ? "<" : "<="} ${emit.number(limit)}`
})

/** JSON Schema validation §6.2.3. */
export const exclusiveMaximum = onNumber({
  name: "exclusiveMaximum",
  shape: exclusiveBound,
  check: (limit) => (typeof limit === "number" ? check(limit, true) : undefined),
  message: (limit, value) => `must be below ${String(limit)}, got ${value}`,
  source: (limit, emit, name) => (typeof limit === "number" ? `${name} < ${emit.number(limit)}` : undefined)
})
