import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

describe("maxProperties", () => {
  it("counts own properties", () => {
    accepts({ maxProperties: 1 }, {}, { a: { b: 1, c: 1 } })
    refuses({ maxProperties: 1 }, { a: 1, b: 1 })
    accepts({ maxProperties: 0 }, {}, Object.create(null))
    refuses({ maxProperties: 0 }, { a: 1 })
    refuses({ type: "object", properties: { a: {}, b: {} }, maxProperties: 1 }, { a: 1, b: 1 })
  })

  it("is silent on what is no object", () => {
    accepts({ maxProperties: 0 }, [1], "a", 1, null)
  })

  it("says the bound and the count", () => {
    explains({ maxProperties: 0 }, { a: 1 }, ["must have at most 0 properties, got 1"])
    explains({ maxProperties: 1 }, { a: 1, b: 2 }, ["must have at most 1 property, got 2"])
  })

  it("J12: must be an integer of at least 0", () => {
    for (const bad of [-1, 1.5, "1", null]) {
      assert.strictEqual(rejection({ maxProperties: bad }), "#/maxProperties: must be an integer of at least 0")
    }
  })
})
