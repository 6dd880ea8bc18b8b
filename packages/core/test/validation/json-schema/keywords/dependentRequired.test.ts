import { assert, describe, it } from "@effect/vitest"
import { accepts, draft07, explains, refuses, rejection } from "../verdicts.ts"

describe("dependentRequired", () => {
  it("wants the others of who has the first", () => {
    const schema = { dependentRequired: { card: ["name", "cvc"], name: ["card"] } }
    accepts(schema, {}, { cvc: 1 }, { card: 1, name: 1, cvc: 1 }, { card: null, name: null, cvc: null })
    refuses(schema, { card: 1 }, { name: 1 }, { card: 1, name: 1 }, { card: 1, cvc: 1 })
    accepts(schema, ["card"], "card", null)
  })

  it("asks own members alone", () => {
    accepts({ dependentRequired: { toString: ["a"] } }, {}, { b: 1 })
    refuses({ dependentRequired: { toString: ["a"] } }, { toString: 1 })
    refuses({ dependentRequired: { a: ["valueOf"] } }, { a: 1 })
  })

  it("says which name is absent, and because of which", () => {
    explains({ dependentRequired: { a: ["b", "c"] } }, { a: 1, c: 1 }, ['must have the property "b" where it has "a"'])
  })

  it("is unknown to draft-07", () => {
    accepts({ $schema: draft07, dependentRequired: { a: ["b"] } }, { a: 1 })
    accepts({ $schema: draft07, dependentRequired: 5 }, { a: 1 })
  })

  it("J12: must be an object of lists of names", () => {
    assert.strictEqual(rejection({ dependentRequired: 1 }), "#/dependentRequired: must be an object")
    for (const bad of ["b", [1], ["b", "b"], null]) {
      assert.match(
        rejection({ dependentRequired: { a: bad } }),
        /^#\/dependentRequired.*: must be an array of strings without duplicates$/
      )
    }
  })
})
