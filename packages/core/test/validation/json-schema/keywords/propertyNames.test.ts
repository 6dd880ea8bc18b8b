import { assert, describe, it } from "@effect/vitest"
import { accepts, draft04, explains, refuses, rejection } from "../verdicts.ts"

describe("propertyNames", () => {
  it("judges each name as a text", () => {
    accepts({ propertyNames: { maxLength: 2 } }, {}, { ab: "a long value" }, { "😀😀": 1 })
    refuses({ propertyNames: { maxLength: 2 } }, { abc: 1 }, { a: 1, bcd: 1 })
    accepts({ propertyNames: { enum: ["a", "toString"] } }, { a: 1, toString: 1 })
    refuses({ propertyNames: { enum: ["a"] } }, { A: 1 })
    accepts({ propertyNames: { pattern: "^\\d+$" } }, { 1: "a" })
    refuses({ propertyNames: { type: "integer" } }, { 1: "a" })
  })

  it("takes booleans", () => {
    accepts({ propertyNames: false }, {})
    refuses({ propertyNames: false }, { a: 1 })
    accepts({ propertyNames: true }, { a: 1 })
  })

  it("is silent on what is no object", () => {
    accepts({ propertyNames: false }, ["a"], "a", 1, null)
  })

  it("names each name that is refused", () => {
    explains({ propertyNames: { maxLength: 1 } }, { ab: 1, c: 1, de: 1 }, [
      'must not have a property named "ab"',
      'must not have a property named "de"'
    ])
  })

  it("is unknown to draft-04", () => {
    accepts({ $schema: draft04, propertyNames: false }, { a: 1 })
  })

  it("J12: must be a schema", () => {
    assert.strictEqual(rejection({ propertyNames: "a" }), "#/propertyNames: must be a schema: an object or a boolean")
  })
})
