import { describe, it } from "@effect/vitest"
import { accepts, draft07, draft201909, draft202012, explains, refuses } from "../verdicts.ts"

const first = { prefixItems: [{ type: "string" }] }
const second = { prefixItems: [true, { type: "string" }] }

describe("unevaluatedItems", () => {
  it("judges what its siblings do not answer for", () => {
    const schema = { ...first, unevaluatedItems: { type: "null" } }
    accepts(schema, [], ["a"], ["a", null, null])
    refuses(schema, ["a", 1], [1], ["a", null, 1])
    accepts({ unevaluatedItems: false }, [], {}, "a", null)
    refuses({ unevaluatedItems: false }, [1])
    accepts({ items: true, unevaluatedItems: false }, [1, 2])
    accepts({ ...first, items: { type: "integer" }, unevaluatedItems: false }, ["a", 1])
  })

  it("sees through allOf, anyOf and oneOf", () => {
    accepts({ allOf: [first, second], unevaluatedItems: false }, ["a", "b"], ["a"], [])
    refuses({ allOf: [first, second], unevaluatedItems: false }, ["a", "b", 1])
    accepts({ anyOf: [first, second], unevaluatedItems: false }, ["a", "b"], [1, "b"], ["a"])
    refuses({ anyOf: [first, second], unevaluatedItems: false }, ["a", 1], [1, 2])
    accepts({ oneOf: [first, second], unevaluatedItems: false }, [1, "b"])
    refuses({ oneOf: [first, second], unevaluatedItems: false }, ["a", "b"], ["a", 1])
  })

  it("sees through if, then and else, and references", () => {
    const schema = { if: first, then: second, unevaluatedItems: false }
    accepts(schema, ["a", "b"], [])
    refuses(schema, [1], ["a", "b", "c"])
    const referring = { $ref: "#/$defs/first", unevaluatedItems: false, $defs: { first } }
    accepts(referring, ["a"])
    refuses(referring, ["a", 1])
  })

  it("counts what contains matched as answered for, in 2020-12 alone", () => {
    const schema = { ...first, contains: { type: "integer" }, unevaluatedItems: { type: "null" } }
    accepts(schema, ["a", 1], ["a", null, 2, 3])
    refuses(schema, ["a", "b", 1], ["a", null])
    accepts({ ...schema, minContains: 0 }, ["a", null], ["a", 1])
    refuses({ ...schema, maxContains: 1 }, ["a", 1, 2])
    refuses({ $schema: draft201909, contains: { type: "integer" }, unevaluatedItems: false }, [1])
    accepts({ $schema: draft202012, contains: { type: "integer" }, unevaluatedItems: false }, [1, 2])
    accepts({ allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }], unevaluatedItems: false }, [1, 2, 1])
    refuses({ allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }], unevaluatedItems: false }, [1, 2, 3])
  })

  it("sees the tuple of 2019-09 and what is behind it", () => {
    const schema = { $schema: draft201909, items: [{ type: "string" }], unevaluatedItems: false }
    accepts(schema, ["a"], [])
    refuses(schema, ["a", 1])
    accepts({ ...schema, additionalItems: { type: "integer" } }, ["a", 1])
    accepts({ $schema: draft201909, allOf: [{ items: [true, true] }], items: [true], unevaluatedItems: false }, [1, 2])
  })

  it("sees nothing of what stands under not, or elsewhere", () => {
    refuses({ not: { not: first }, unevaluatedItems: false }, ["a"])
    refuses({ allOf: [first, { unevaluatedItems: false }] }, ["a"])
    refuses({ ...first, allOf: [{ unevaluatedItems: false }] }, ["a"])
    accepts({ prefixItems: [{ prefixItems: [true], unevaluatedItems: false }], unevaluatedItems: false }, [[1]])
    refuses({ prefixItems: [{ prefixItems: [true] }], unevaluatedItems: false }, [[1], 1])
  })

  it("answers for everything where another one stands above it", () => {
    accepts({ allOf: [{ unevaluatedItems: true }], unevaluatedItems: false }, [1])
  })

  it("stands beside unevaluatedProperties", () => {
    const schema = { properties: { a: {} }, prefixItems: [true], unevaluatedItems: false, unevaluatedProperties: false }
    accepts(schema, { a: 1 }, [1], "x")
    refuses(schema, { b: 1 }, [1, 2])
  })

  it("says where", () => {
    explains({ ...first, unevaluatedItems: { type: "null" } }, ["a", null, 5], ["/2: must be null, got 5"])
    explains({ unevaluatedItems: false }, [5], ["/0: must be absent, got 5"])
  })

  it("tells of an item of the tuple only what is wrong with it", () => {
    explains(
      { prefixItems: [{ type: "string" }, {}], unevaluatedItems: false },
      [1, 1],
      ["/0: must be a string, got 1"]
    )
  })

  it("is unknown to draft-07", () => {
    accepts({ $schema: draft07, unevaluatedItems: false }, [1])
  })
})
