import { assert, describe, it } from "@effect/vitest"
import { accepts, draft04, draft07, explains, refuses, rejection } from "../verdicts.ts"

const dependencies = { a: ["b"], c: { properties: { d: { type: "integer" } } } }

describe("dependencies", () => {
  it("are names or a schema, in the dialects that have them and where none is declared", () => {
    for (const dialect of [{ $schema: draft04 }, { $schema: draft07 }, {}]) {
      const schema = { ...dialect, dependencies }
      accepts(schema, {}, { b: 1 }, { a: 1, b: 1 }, { c: 1, d: 2 }, { d: "x" })
      refuses(schema, { a: 1 }, { c: 1, d: "x" }, { a: 1, c: 1 })
      accepts(schema, ["a"], "a", null)
    }
  })

  it("take a boolean for a schema since draft-06", () => {
    refuses({ $schema: draft07, dependencies: { a: false } }, { a: 1 })
    accepts({ $schema: draft07, dependencies: { a: false } }, { b: 1 })
    accepts({ dependencies: { a: [] } }, { a: 1 })
  })

  it("ask own members alone", () => {
    accepts({ dependencies: { valueOf: ["a"] } }, {})
    refuses({ dependencies: { a: ["valueOf"] } }, { a: 1 })
  })

  it("say what is absent, or what the schema says", () => {
    explains({ dependencies }, { a: 1, c: 1, d: "x" }, [
      'must have the property "b" where it has "a"',
      '/d: must be an integer, got "x"'
    ])
  })

  it("J12: must be an object of lists of names and schemas", () => {
    assert.strictEqual(rejection({ dependencies: "a" }), "#/dependencies: must be an object")
    assert.strictEqual(
      rejection({ dependencies: { a: "b" } }),
      "#/dependencies/a: must be a schema: an object or a boolean"
    )
    assert.match(
      rejection({ dependencies: { a: [1] } }),
      /^#\/dependencies.*must be an array of strings without duplicates$/
    )
  })
})
