import { alternatives, describe, nearestName, quote } from "../describe.ts"
import { isContainer, isEqual } from "../equality.ts"
import { onAny } from "../Keyword.ts"
import type { SchemaNode } from "../SchemaNode.ts"
import { anything, enumValues, isMembers } from "../shapes.ts"

/** Few values are compared one by one; a set pays from here on. */
const SMALL = 8

/** JSON Schema validation §6.1.2; equality is deep. */
export const enumKeyword = onAny({
  name: "enum",
  shape: enumValues,
  check(values) {
    if (values.length <= SMALL && !values.some(isContainer)) return (value) => values.includes(value)
    const primitives = new Set(values.filter((value) => !isContainer(value)))
    const lists = values.filter(Array.isArray)
    const objects = values.filter(isMembers)
    return (value) => {
      if (!isContainer(value)) return primitives.has(value)
      return (Array.isArray(value) ? lists : objects).some((container) => isEqual(container, value))
    }
  },
  message: (values, value) =>
    `must be one of ${alternatives(values)}, got ${describe(value)}${suggestion(value, values)}`,
  source: (values, emit, name) =>
    values.length > SMALL || values.some(isContainer)
      ? undefined
      : values.map((value) => `${name} === ${emit.primitive(value)}`).join(" || ") || "false"
})

const suggestion = (value: unknown, values: ReadonlyArray<unknown>): string => {
  if (typeof value !== "string" || values.length < 4) return ""
  const near = nearestName(
    value,
    values.filter((item) => typeof item === "string")
  )
  return near === undefined ? "" : `; did you mean ${quote(near)}?`
}

/** JSON Schema validation §6.1.3. */
export const constKeyword = onAny({
  name: "const",
  shape: anything,
  check: (expected) => (isContainer(expected) ? (value) => isEqual(expected, value) : (value) => value === expected),
  message: (expected, value) =>
    `must be ${isMembers(expected) ? "the given object" : describe(expected)}, got ${describe(value)}`,
  source: (expected, emit, name) => (isContainer(expected) ? undefined : `${name} === ${emit.primitive(expected)}`)
})

/** The values that `const` leaves at a node, or else `enum`. */
export const constantsOf = (node: SchemaNode): ReadonlyArray<unknown> | undefined => {
  const single = node.parts.find(({ keyword }) => keyword === constKeyword)
  return single === undefined ? node.get(enumKeyword) : [single.value]
}
