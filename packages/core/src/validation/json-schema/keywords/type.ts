import { describe } from "../describe.ts"
import { onAny } from "../Keyword.ts"
import { ANY, bitOf, bitsOfType, NULL, typeNames } from "../kinds.ts"
import type { SchemaNode, Shape } from "../SchemaNode.ts"
import { isList } from "../shapes.ts"

const oneType: Shape<number> = (raw, reader) =>
  bitsOfType.get(raw) ?? reader.fail(`must name a type of JSON Schema, got ${describe(raw)}`)

const types: Shape<number> = (raw, reader) => {
  if (!isList(raw)) return oneType(raw, reader)
  if (raw.length === 0 || new Set(raw).size < raw.length) reader.fail("must name at least one type, each once")
  return raw.reduce<number>((bits, name) => bits | oneType(name, reader), 0)
}

/** JSON Schema validation §6.1.1. The value is the bits of the types named; `1.0` is an integer. */
export const type = onAny({
  name: "type",
  shape: types,
  check(_bits, node) {
    const allowed = allowedBits(node)
    return (value) => (bitOf(value) & allowed) !== 0
  },
  message: (_bits, value, node) =>
    `must be ${typeNames(allowedBits(node)).map(withArticle).join(" or ")}, got ${describe(value)}`
})

/** OpenAPI 3.0: `true` beside `type` admits null. Without `type`, or as anything else, it says nothing. */
export const nullable = onAny({ name: "nullable", shape: (raw) => raw === true })

/** The types that `type` lets pass at a node. */
export const allowedBits = (node: SchemaNode): number => {
  const bits = node.get(type)
  if (bits === undefined) return ANY
  return node.get(nullable) === true ? bits | NULL : bits
}

const withArticle = (name: string): string => (name === "null" ? name : `${/^[aio]/.test(name) ? "an" : "a"} ${name}`)
