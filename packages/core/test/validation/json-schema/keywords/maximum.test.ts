import { assert, describe, it } from "@effect/vitest"
import { accepts, draft04, draft06, draft202012, explains, refuses, rejection } from "../verdicts.ts"

describe("maximum", () => {
  it("admits its own value and all below", () => {
    accepts({ maximum: 3 }, 3, 2.999_999_9, -1e300)
    refuses({ maximum: 3 }, 3.000_000_1, 1e300)
    accepts({ maximum: 0 }, 0, -0, -1)
    refuses({ maximum: 0 }, 5e-324)
    accepts({ maximum: -0 }, 0)
    accepts({ type: "integer", maximum: 2.5 }, 2)
    refuses({ type: "integer", maximum: 2.5 }, 3)
  })

  it("is silent on what is no number", () => {
    accepts({ maximum: 3 }, "4", null, [4], {}, true)
  })

  it("says the bound and what came", () => {
    explains({ maximum: 3 }, 4, ["must be at most 3, got 4"])
  })

  it("J12: must be a number", () => {
    for (const bad of ["3", null, true, [], {}]) {
      assert.strictEqual(rejection({ maximum: bad }), "#/maximum: must be a number")
    }
  })
})

describe("exclusiveMaximum", () => {
  it("refuses its own value", () => {
    accepts({ exclusiveMaximum: 3 }, 2.999, -4)
    refuses({ exclusiveMaximum: 3 }, 3, 4)
    refuses({ exclusiveMaximum: 0 }, 0, -0)
    refuses({ maximum: 9, exclusiveMaximum: 3 }, 3, 5)
    refuses({ maximum: 3, exclusiveMaximum: 9 }, 4)
  })

  it("is a switch of maximum in draft-04, and where no dialect is declared", () => {
    for (const dialect of [{ $schema: draft04 }, {}]) {
      const schema = { ...dialect, maximum: 3, exclusiveMaximum: true }
      accepts(schema, 2.5)
      explains(schema, 3, ["must be below 3, got 3"])
      accepts({ ...dialect, maximum: 3, exclusiveMaximum: false }, 3)
    }
  })

  it("says the bound and what came", () => {
    explains({ exclusiveMaximum: 3 }, 3, ["must be below 3, got 3"])
  })

  it("J12: has the type that its dialect says", () => {
    assert.strictEqual(rejection({ $schema: draft04, exclusiveMaximum: 3 }), "#/exclusiveMaximum: must be a boolean")
    for (const $schema of [draft06, draft202012]) {
      assert.strictEqual(rejection({ $schema, exclusiveMaximum: false }), "#/exclusiveMaximum: must be a number")
    }
    assert.strictEqual(rejection({ exclusiveMaximum: null }), "#/exclusiveMaximum: must be a number or boolean")
  })
})
