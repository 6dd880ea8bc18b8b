import { assert, describe, it } from "@effect/vitest"
import { accepts, draft07, explains, refuses, rejection } from "../verdicts.ts"

describe("dependentSchemas", () => {
  it("judges the whole object of who has the name", () => {
    const schema = { dependentSchemas: { a: { required: ["b"], properties: { b: { minimum: 2 } } }, c: false } }
    accepts(schema, {}, { b: 0 }, { a: 1, b: 2 })
    refuses(schema, { a: 1 }, { a: 1, b: 1 }, { c: 1 })
    accepts(schema, ["a"], "a", null)
  })

  it("asks own members alone", () => {
    accepts({ dependentSchemas: { toString: false } }, {}, { a: 1 })
    refuses({ dependentSchemas: { toString: false } }, { toString: 1 })
  })

  it("says what the schema says", () => {
    explains({ dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, ['must have the property "b"'])
  })

  it("is unknown to draft-07", () => {
    accepts({ $schema: draft07, dependentSchemas: { a: false } }, { a: 1 })
    accepts({ $schema: draft07, dependentSchemas: 5 }, { a: 1 })
  })

  it("J12: must be an object of schemas", () => {
    assert.strictEqual(rejection({ dependentSchemas: 1 }), "#/dependentSchemas: must be an object")
    assert.strictEqual(
      rejection({ dependentSchemas: { a: ["b"] } }),
      "#/dependentSchemas/a: must be a schema: an object or a boolean"
    )
  })
})
