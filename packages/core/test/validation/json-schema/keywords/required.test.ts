import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

const inherited = ["toString", "hasOwnProperty", "valueOf", "isPrototypeOf"]

describe("required", () => {
  it("wants each name, whatever its value", () => {
    accepts({ required: ["a", "b"] }, { a: null, b: false }, { b: 0, a: "", c: 1 })
    refuses({ required: ["a", "b"] }, {}, { a: 1 }, { b: 1, A: 1 })
    accepts({ required: [] }, {})
  })

  it("is silent on what is no object", () => {
    accepts({ required: ["length"] }, [], "a", 1, null)
  })

  it("J12: wants a name that no property declares", () => {
    refuses({ type: "object", properties: { a: {} }, required: ["b"] }, { a: 1 })
    accepts({ type: "object", properties: { a: {} }, required: ["b"] }, { b: 1 })
    refuses({ properties: { a: {} }, required: ["b"], additionalProperties: false }, { b: 1 }, {})
  })

  it("takes no member of a prototype for an own one", () => {
    for (const name of inherited) {
      refuses({ required: [name] }, {})
      refuses({ type: "object", properties: { [name]: {} }, required: [name] }, {})
      accepts({ required: [name] }, { [name]: 1 })
      accepts({ type: "object", properties: { [name]: {} }, required: [name] }, { [name]: null })
    }
    refuses({ required: ["__proto__"] }, {})
    refuses({ required: ["constructor"], type: "object" }, {})
  })

  it("judges an object without a prototype", () => {
    accepts({ required: ["a"] }, Object.assign(Object.create(null), { a: 1 }))
    refuses({ required: ["toString"] }, Object.create(null))
  })

  it("names each one that is absent", () => {
    explains({ required: ["a", "b c", "d"] }, { d: 1 }, ['must have the property "a"', 'must have the property "b c"'])
    explains({ properties: { p: { required: ["x"] } } }, { p: {} }, ['/p: must have the property "x"'])
  })

  it("J12: says where draft-03's form belongs now", () => {
    assert.strictEqual(
      rejection({ required: true }),
      "#/required: must be an array of names, in the object that has the property"
    )
  })

  it("J12: must be an array of strings without duplicates", () => {
    for (const bad of ["a", [1], ["a", "a"], { a: 1 }, null]) {
      assert.strictEqual(rejection({ required: bad }), "#/required: must be an array of strings without duplicates")
    }
  })
})
