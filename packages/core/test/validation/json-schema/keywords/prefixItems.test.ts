import { assert, describe, it } from "@effect/vitest"
import { accepts, draft201909, explains, refuses, rejection } from "../verdicts.ts"

const prefixItems = [{ type: "string" }, { type: "integer" }]

describe("prefixItems", () => {
  it("judges the first items by their place", () => {
    accepts({ prefixItems }, [], ["a"], ["a", 1], ["a", 1, {}])
    refuses({ prefixItems }, [1], ["a", "b"], [1, "a"])
    accepts({ prefixItems }, "a", { 0: 1 }, null)
  })

  it("leaves the rest to items", () => {
    const schema = { prefixItems, items: { type: "null" } }
    accepts(schema, ["a"], ["a", 1], ["a", 1, null])
    refuses(schema, ["a", 1, 2], ["a", null])
    refuses({ prefixItems, items: false }, ["a", 1, null])
    accepts({ prefixItems, items: false }, ["a"], ["a", 1])
    accepts({ prefixItems, items: true }, ["a", 1, null])
  })

  it("takes booleans", () => {
    accepts({ prefixItems: [true, false] }, [], [1])
    refuses({ prefixItems: [true, false] }, [1, 2])
  })

  it("says where and why", () => {
    explains({ prefixItems }, [1, "b"], ["/0: must be a string, got 1", '/1: must be an integer, got "b"'])
    explains({ prefixItems, items: false }, ["a", 1, 2], ["must have at most 2 items, got 3"])
    explains({ prefixItems: [true, false] }, [1, 2], ["/1: must be absent, got 2"])
  })

  it("is unknown to 2019-09", () => {
    accepts({ $schema: draft201909, prefixItems }, [1, "a"])
  })

  it("J12: must be an array of at least one schema", () => {
    for (const bad of [[], {}, "a", null, true]) {
      assert.strictEqual(rejection({ prefixItems: bad }), "#/prefixItems: must be an array of at least one schema")
    }
    assert.strictEqual(rejection({ prefixItems: [{}, 1] }), "#/prefixItems/1: must be a schema: an object or a boolean")
  })
})
