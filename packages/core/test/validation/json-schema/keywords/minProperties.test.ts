import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

describe("minProperties", () => {
  it("counts own properties", () => {
    accepts({ minProperties: 1 }, { a: 1 }, { a: null, b: 1 }, { toString: 1 })
    refuses({ minProperties: 1 }, {}, Object.create(null))
    refuses({ minProperties: 2 }, { a: { b: 1, c: 2 } })
    accepts({ minProperties: 0 }, {})
    accepts({ minProperties: 2, properties: { a: {} } }, { a: 1, z: 1 })
    refuses({ type: "object", minProperties: 2, properties: { a: {} } }, { a: 1 })
  })

  it("is silent on what is no object", () => {
    accepts({ minProperties: 1 }, [], "", 0, null)
  })

  it("says the bound and the count", () => {
    explains({ minProperties: 1 }, {}, ["must have at least 1 property, got 0"])
    explains({ minProperties: 2 }, { a: 1 }, ["must have at least 2 properties, got 1"])
  })

  it("J12: must be an integer of at least 0", () => {
    for (const bad of [-1, 1.5, "1", null]) {
      assert.strictEqual(rejection({ minProperties: bad }), "#/minProperties: must be an integer of at least 0")
    }
  })
})
