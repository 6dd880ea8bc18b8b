import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

describe("allOf", () => {
  it("wants every schema to match", () => {
    const schema = { allOf: [{ type: "integer" }, { minimum: 2 }, { not: { const: 5 } }] }
    accepts(schema, 2, 6)
    refuses(schema, 1, 5, 2.5, "2", null)
    accepts({ allOf: [true, {}] }, null)
    refuses({ allOf: [true, false] }, null, {})
  })

  it("stands beside other keywords, and nests", () => {
    refuses({ maximum: 3, allOf: [{ minimum: 2 }] }, 1, 4)
    accepts({ maximum: 3, allOf: [{ allOf: [{ minimum: 2 }] }] }, 2, 3)
    refuses({ maximum: 3, allOf: [{ allOf: [{ minimum: 2 }] }] }, 1)
    const members = { type: "object", allOf: [{ properties: { a: { type: "string" } } }, { required: ["a"] }] }
    accepts(members, { a: "x", b: [1] })
    refuses(members, {}, { a: 1 }, [], "a")
  })

  it("tells of each schema in order", () => {
    explains({ allOf: [{ minimum: 5 }, {}, { multipleOf: 2 }] }, 3, [
      "must be at least 5, got 3",
      "must be a multiple of 2, got 3"
    ])
  })

  it("J12: must be an array of at least one schema", () => {
    for (const name of ["allOf", "anyOf", "oneOf"]) {
      for (const bad of [[], {}, "a", null, true]) {
        assert.strictEqual(rejection({ [name]: bad }), `#/${name}: must be an array of at least one schema`)
      }
      assert.strictEqual(rejection({ [name]: [{}, 7] }), `#/${name}/1: must be a schema: an object or a boolean`)
    }
  })
})
