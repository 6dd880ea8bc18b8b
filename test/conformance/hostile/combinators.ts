/** Schemas that judge one value again and again. */
import { type HostileCase, hostile, times, membersOf, nest, doubled, eachDoubled } from "./HostileCase.ts"

/** What fails in every branch and only at its end. */
const branching = (combinator: string, inner: object): object => ({
  $ref: "#/$defs/node",
  $defs: { node: { [combinator]: times(3, (index) => ({ ...inner, required: [`no${index}`] })) } }
})

export const combinators: ReadonlyArray<HostileCase> = [
  hostile(
    "allOf of references, 2^30",
    () => doubled(30, { type: "object" }),
    () => ({})
  ),
  hostile(
    "allOf of references, 2^11, on each of many items",
    () => eachDoubled(11, { type: "integer" }),
    () => times(10_000, Number)
  ),
  hostile(
    "anyOf of references, 2^11, none of which matches",
    () => doubled(11, { type: "string" }, "anyOf"),
    () => 1
  ),
  hostile(
    "oneOf of references, 2^11",
    () => doubled(11, { type: "object" }, "oneOf"),
    () => ({})
  ),
  hostile(
    "anyOf recursion over a deep value",
    () => branching("anyOf", { properties: { n: { $ref: "#/$defs/node" } } }),
    () => nest(60, (n) => ({ n }), {})
  ),
  hostile(
    "oneOf recursion over a deep list",
    () => branching("oneOf", { items: { $ref: "#/$defs/node" } }),
    () => nest(60, (item) => [item], {})
  ),
  hostile(
    "anyOf recursion over a bushy value",
    () => branching("anyOf", { additionalProperties: { $ref: "#/$defs/node" } }),
    () => nest(6, (inner) => membersOf(4, () => inner), {})
  ),
  hostile(
    "oneOf of arrays of arrays",
    () => ({ oneOf: times(50, (index) => ({ items: { items: { type: "integer", maximum: 1e9 + index } } })) }),
    () => times(100, () => times(100, Number))
  ),
  hostile(
    "not, 60 levels deep",
    () => nest(60, (not) => ({ not }), { type: "object" }),
    () => ({})
  ),
  hostile(
    "not of anyOf over a deep value",
    () => ({
      $ref: "#/$defs/n",
      $defs: {
        n: {
          not: { anyOf: times(3, (index) => ({ properties: { n: { $ref: "#/$defs/n" } }, required: [`x${index}`] })) }
        }
      }
    }),
    () => nest(60, (n) => ({ n, x2: 1 }), {})
  ),
  hostile(
    "if, then and else over a deep value",
    () => ({
      $ref: "#/$defs/n",
      $defs: {
        n: {
          if: { properties: { n: { $ref: "#/$defs/n" } }, required: ["x"] },
          then: false,
          else: { properties: { n: { $ref: "#/$defs/n" } } }
        }
      }
    }),
    () => nest(60, (n) => ({ n }), {})
  ),
  hostile(
    "dependentSchemas of many names, on each of many items",
    () => ({ items: { dependentSchemas: membersOf(500, () => ({ minProperties: 1 })) } }),
    () => times(1_000, () => membersOf(50, Number))
  ),
  hostile(
    "dependentSchemas recursion",
    () => ({
      $ref: "#/$defs/n",
      $defs: {
        n: {
          dependentSchemas: {
            a: { properties: { n: { $ref: "#/$defs/n" } } },
            b: { properties: { n: { $ref: "#/$defs/n" } } }
          }
        }
      }
    }),
    () => nest(60, (n) => ({ a: 1, b: 1, n }), {})
  ),
  hostile(
    "discriminated branches without end",
    () => ({
      $ref: "#/$defs/n",
      $defs: {
        n: {
          oneOf: times(200, (index) => ({
            type: "object",
            properties: { t: { const: index }, n: { $ref: "#/$defs/n" } },
            required: ["t"]
          }))
        }
      }
    }),
    () => nest(60, (n) => ({ t: 199, n }), {})
  ),
  hostile(
    "a loop of references",
    () => ({ $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } }),
    () => ({})
  )
]
