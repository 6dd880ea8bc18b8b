import { assert, describe, it } from "@effect/vitest"
import { accepts, draft04, explains, refuses, rejection } from "../verdicts.ts"

describe("const", () => {
  it("admits the one value, of any type", () => {
    accepts({ const: null }, null)
    refuses({ const: null }, 0, false, "", "null", [], {})
    accepts({ const: "a" }, "a")
    refuses({ const: "a" }, "a ", "A", ["a"], null)
    accepts({ const: false }, false)
    refuses({ const: false }, 0, "", null, true)
    accepts({ const: 0 }, 0, -0)
    refuses({ const: 0 }, false, "0", 1e-300)
    accepts({ const: 9_007_199_254_740_992 }, 9_007_199_254_740_992)
    refuses({ const: 9_007_199_254_740_992 }, 9_007_199_254_740_990)
  })

  it("compares deeply", () => {
    accepts({ const: { a: { b: [1, null] } } }, { a: { b: [1, null] } })
    refuses({ const: { a: { b: [1, null] } } }, { a: { b: [1] } }, { a: { b: [null, 1] } }, {}, { a: null })
    accepts({ const: [{}] }, [{}])
    refuses({ const: [{}] }, [[]], [{ a: 1 }], {}, [])
    accepts({ const: {} }, {})
    refuses({ const: {} }, [], { a: 1 }, null)
  })

  it("compares own members alone", () => {
    refuses({ const: { toString: 1 } }, {}, { hasOwnProperty: 1 })
    refuses({ const: {} }, { toString: 1 })
    accepts({ const: { hasOwnProperty: 1 } }, { hasOwnProperty: 1 })
  })

  it("takes a schema for a value, not for a schema", () => {
    accepts({ const: { type: "string", $ref: "other.json" } }, { $ref: "other.json", type: "string" })
    refuses({ const: { type: "string" } }, "text")
  })

  it("stands beside enum and type", () => {
    refuses({ const: 1, enum: [2] }, 1, 2)
    accepts({ const: 1, enum: [1, 2] }, 1)
    refuses({ const: 1, enum: [1, 2] }, 2)
    refuses({ const: 1, type: "string" }, 1, "1")
    refuses({ const: "abc", maxLength: 2 }, "abc")
  })

  it("says what it must be and what came", () => {
    explains({ const: "a" }, "b", ['must be "a", got "b"'])
    explains({ const: null }, 1, ["must be null, got 1"])
    explains({ const: { a: 1 } }, { a: 2 }, ["must be the given object, got an object"])
    explains({ const: [1] }, [], ["must be an array of 1 item, got an empty array"])
  })

  it("is unknown to draft-04, and may have any value", () => {
    accepts({ $schema: draft04, const: 1 }, 1, 2, "x")
    assert.strictEqual(rejection({ const: undefined }), "#/const: must be plain JSON, not undefined")
  })
})
