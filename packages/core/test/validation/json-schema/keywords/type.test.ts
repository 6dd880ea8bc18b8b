import { assert, describe, it } from "@effect/vitest"
import { accepts, draft202012, explains, refuses, rejection } from "../verdicts.ts"

const samples = {
  null: null,
  boolean: false,
  integer: 7,
  number: 7.25,
  string: "7",
  array: [7],
  object: { seven: 7 }
}

describe("type", () => {
  it("lets the values of its type pass and no others", () => {
    for (const name of ["null", "boolean", "string", "array", "object"] as const) {
      const { [name]: own, ...others } = samples
      accepts({ type: name }, own)
      refuses({ type: name }, ...Object.values(others))
    }
  })

  it("takes every number without a fraction for an integer", () => {
    accepts({ type: "integer" }, 0, -0, 1, 1e300, -9_007_199_254_740_992, Number.parseFloat("1.0"))
    refuses({ type: "integer" }, 0.5, 1e-7, -1.000_001, "1", true, null, [1], {})
    accepts({ type: "number" }, 0, -0, 1, 1e300, 0.5, 5e-324)
    refuses({ type: "number" }, "1", false, null, [], {})
  })

  it("admits each type of a list", () => {
    accepts({ type: ["string", "null"] }, "", null)
    refuses({ type: ["string", "null"] }, 0, false, [], {})
    accepts({ type: ["integer", "array"] }, 3, [])
    refuses({ type: ["integer", "array"] }, 3.5, {}, null)
    accepts({ type: ["integer", "number"] }, 3, 3.5)
    accepts({ type: ["boolean"] }, true)
    refuses({ type: ["object", "boolean", "number"] }, [], "x", null)
  })

  it("says which types were expected and what came", () => {
    explains({ type: "integer" }, 1.5, ["must be an integer, got 1.5"])
    explains({ type: "object" }, [], ["must be an object, got an empty array"])
    explains({ type: "array" }, {}, ["must be an array, got an object"])
    explains({ type: "null" }, 0, ["must be null, got 0"])
    explains({ type: "string" }, [1, 2], ["must be a string, got an array of 2 items"])
    explains({ type: ["string", "null"] }, 5, ["must be null or a string, got 5"])
    explains({ type: ["integer", "number"] }, "5", ['must be a number, got "5"'])
    explains({ type: "boolean" }, "true", ['must be a boolean, got "true"'])
    explains({ type: "boolean" }, null, ["must be a boolean, got null"])
  })

  it("J12: refuses a name that is no type, and a list that is empty or names one twice", () => {
    assert.strictEqual(rejection({ type: "float" }), '#/type: must name a type of JSON Schema, got "float"')
    for (const bad of ["any", "", "Integer", "toString", 7, null, true, {}, ["string", 7], [["string"]]]) {
      assert.include(rejection({ type: bad }), "#/type: must name a type of JSON Schema")
    }
    for (const bad of [[], ["string", "string"]]) {
      assert.include(rejection({ type: bad }), "#/type: must name at least one type, each once")
    }
  })
})

describe("nullable", () => {
  it("admits null beside a type, of a schema that declares no dialect", () => {
    accepts({ type: "string", nullable: true }, "a", null)
    accepts({ type: ["string", "integer"], nullable: true }, "a", 1, null)
    refuses({ type: "string", nullable: true }, 1, false, [], {})
    refuses({ type: "string", nullable: false }, null)
  })

  it("says nothing without a type", () => {
    refuses({ nullable: true, minLength: 2, not: { type: "null" } }, null)
    accepts({ nullable: true }, null, 1)
    accepts({ nullable: false }, null)
  })

  it("leaves the other keywords of its place in force", () => {
    refuses({ type: "string", nullable: true, enum: ["a"] }, null, "b")
    accepts({ type: "string", nullable: true, enum: ["a", null] }, null, "a")
    accepts({ type: "object", nullable: true, required: ["a"] }, null, { a: 1 })
    refuses({ type: "object", nullable: true, required: ["a"] }, {})
  })

  it("names null among the types that were expected", () => {
    explains({ type: "integer", nullable: true }, "x", ['must be null or an integer, got "x"'])
  })

  it("is an unknown keyword where a dialect of JSON Schema is declared: any value may stand there", () => {
    assert.strictEqual(rejection({ $schema: draft202012, type: "string", nullable: "yes" }), "accepted")
  })
})
