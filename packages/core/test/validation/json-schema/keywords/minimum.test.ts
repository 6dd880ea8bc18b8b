import { assert, describe, it } from "@effect/vitest"
import { accepts, draft04, draft07, draft202012, explains, refuses, rejection } from "../verdicts.ts"

describe("minimum", () => {
  it("admits its own value and all above", () => {
    accepts({ minimum: 3 }, 3, 3.000_000_1, 1e300)
    refuses({ minimum: 3 }, 2.999_999, -3, -1e300)
    accepts({ minimum: 0 }, 0, -0, 5e-324)
    refuses({ minimum: 0 }, -5e-324)
    accepts({ minimum: -1.5 }, -1.5, 0)
    refuses({ minimum: -1.5 }, -1.500_001)
    accepts({ type: "number", minimum: 1e300 }, 1e300)
    refuses({ type: "number", minimum: 1e300 }, 9e299, "x")
  })

  it("is silent on what is no number", () => {
    accepts({ minimum: 3 }, "2", null, [], {}, false)
  })

  it("says the bound and what came", () => {
    explains({ minimum: 3 }, 2, ["must be at least 3, got 2"])
    explains({ type: "integer", minimum: -1 }, -2, ["must be at least -1, got -2"])
  })

  it("J12: must be a number", () => {
    for (const bad of ["3", null, true, [], {}]) {
      assert.strictEqual(rejection({ minimum: bad }), "#/minimum: must be a number")
    }
  })
})

describe("exclusiveMinimum", () => {
  it("refuses its own value", () => {
    accepts({ exclusiveMinimum: 3 }, 3.000_000_1, 4)
    refuses({ exclusiveMinimum: 3 }, 3, 2)
    refuses({ exclusiveMinimum: 0 }, 0, -0)
    accepts({ exclusiveMinimum: 0 }, 5e-324)
    accepts({ exclusiveMinimum: 0 }, "", null, [])
  })

  it("holds beside minimum, whichever is tighter", () => {
    refuses({ minimum: 5, exclusiveMinimum: 3 }, 4)
    refuses({ minimum: 3, exclusiveMinimum: 5 }, 5, 3)
    accepts({ minimum: 3, exclusiveMinimum: 5 }, 5.5)
  })

  it("is a switch of minimum in draft-04", () => {
    const schema = { $schema: draft04, minimum: 3, exclusiveMinimum: true }
    accepts(schema, 3.5)
    refuses(schema, 3, 2)
    explains(schema, 3, ["must be above 3, got 3"])
    accepts({ $schema: draft04, minimum: 3, exclusiveMinimum: false }, 3)
    refuses({ $schema: draft04, minimum: 3, exclusiveMinimum: false }, 2)
  })

  it("is read either way where no dialect is declared", () => {
    refuses({ minimum: 3, exclusiveMinimum: true }, 3)
    accepts({ minimum: 3, exclusiveMinimum: true }, 4)
    accepts({ exclusiveMinimum: true }, -1)
  })

  it("says the bound and what came", () => {
    explains({ exclusiveMinimum: 3 }, 3, ["must be above 3, got 3"])
  })

  it("J12: has the type that its dialect says", () => {
    assert.strictEqual(rejection({ $schema: draft04, exclusiveMinimum: 3 }), "#/exclusiveMinimum: must be a boolean")
    for (const $schema of [draft07, draft202012]) {
      assert.strictEqual(
        rejection({ $schema, minimum: 3, exclusiveMinimum: true }),
        "#/exclusiveMinimum: must be a number"
      )
    }
    assert.strictEqual(rejection({ exclusiveMinimum: "3" }), "#/exclusiveMinimum: must be a number or boolean")
  })
})
