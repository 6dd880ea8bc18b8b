import { assert, describe, it } from "@effect/vitest"
import { accepts, draft04, explains, refuses, rejection } from "../verdicts.ts"

const many = Array.from({ length: 40 }, (_, index) => `option-${index}`)

describe("enum", () => {
  it("admits equal values alone", () => {
    accepts({ enum: ["a", 1, null, false] }, "a", 1, null, false)
    refuses({ enum: ["a", 1, null, false] }, "A", "1", 0, true, [], {}, "", "null")
  })

  it("keeps numbers, booleans and texts apart", () => {
    refuses({ enum: [0] }, false, "0", null, [], "")
    refuses({ enum: [1] }, true, "1", [1])
    refuses({ enum: [false] }, 0, "", null)
    refuses({ enum: [""] }, 0, false, null, [], {})
    accepts({ enum: [0] }, 0, -0)
    accepts({ enum: [-0] }, 0, -0)
    accepts({ enum: [1e2] }, 100)
  })

  it("compares deeply, whatever the order of keys", () => {
    const schema = { enum: [{ a: [1, { b: 2 }], c: null }, [[]], []] }
    accepts(schema, { c: null, a: [1, { b: 2 }] }, [[]], [])
    refuses(
      schema,
      { a: [1, { b: 2 }] },
      { a: [{ b: 2 }, 1], c: null },
      { a: [1, { b: 2 }], c: null, d: 1 },
      [[], []],
      {},
      [[[]]]
    )
  })

  it("takes neither what an array looks like for it, nor what a prototype has for a member", () => {
    refuses({ enum: [{ 0: "a" }] }, ["a"])
    refuses({ enum: [["a"]] }, { 0: "a" }, { 0: "a", length: 1 })
    refuses({ enum: [{ toString: "a" }] }, {}, { valueOf: "a" })
    accepts({ enum: [{ toString: "a" }] }, { toString: "a" })
  })

  it("holds for long lists and for values that are no identifiers", () => {
    accepts({ enum: many }, "option-0", "option-39")
    refuses({ enum: many }, "option-40", "option", 1, null, {})
    const odd = ['"', "\\", "\n", "\u2028", "', alert(1), '", "${x}", "__proto__", "constructor", ""]
    accepts({ enum: odd }, ...odd)
    accepts({ enum: odd.slice(0, 6) }, ...odd.slice(0, 6))
    refuses({ enum: odd.slice(0, 6) }, "x", " ", '""', "__proto__")
    accepts({ enum: [...many, { a: 1 }] }, { a: 1 }, "option-3")
    refuses({ enum: [...many, { a: 1 }] }, { a: 2 }, ["option-3"])
  })

  it("of nothing admits nothing", () => {
    refuses({ enum: [] }, null, 0, "", [], {})
    refuses({ type: "string", enum: [] }, "a")
  })

  it("stands beside a type", () => {
    accepts({ type: "string", enum: ["a", 1] }, "a")
    refuses({ type: "string", enum: ["a", 1] }, 1, "b")
    refuses({ type: "integer", enum: ["a"] }, "a", 1)
    accepts({ type: ["integer", "null"], enum: [1, null, "x"] }, 1, null)
    refuses({ type: ["integer", "null"], enum: [1, null, "x"] }, "x", 2)
    refuses({ enum: ["a", "bcd"], minLength: 2 }, "a")
    accepts({ enum: ["a", "bcd"], minLength: 2 }, "bcd")
    refuses({ enum: [1, 2], not: { const: 1 } }, 1)
  })

  it("holds beside a type, however long the list is and whatever is in it", () => {
    for (const length of [1, 8, 9, 16, 17, 40]) {
      const schema = { type: "string", enum: many.slice(0, length) }
      accepts(schema, "option-0", `option-${length - 1}`)
      refuses(schema, `option-${length}`, "x", 1)
      refuses({ type: "object", properties: { a: schema } }, { a: "x" })
    }
    refuses({ type: "integer", enum: Array.from({ length: 20 }, (_, index) => index) }, 20, -1, 0.5)
    refuses({ type: "null", enum: [{}] }, null)
    refuses({ type: ["integer", "object"], enum: [1, {}] }, 2, { a: 1 }, [])
    accepts({ type: ["integer", "object"], enum: [1, {}] }, 1, {})
    refuses({ type: "integer", enum: [1, []] }, 2)
    refuses({ type: "string", enum: ["a", "b"], const: "a" }, "b", "c")
    accepts({ type: "string", enum: ["a", "b"], const: "a" }, "a")
    refuses({ type: "string", enum: ["a", "bcd"], minLength: 2 }, "a", "xyz")
    refuses({ type: "string", enum: many, minLength: 9 }, "option-1", "xxxxxxxxxxx")
  })

  it("says what was possible and what came", () => {
    explains({ enum: ["a", "b", 3] }, "x", ['must be one of "a", "b" or 3, got "x"'])
    explains({ enum: ["a"] }, 4, ['must be one of "a", got 4'])
    explains({ enum: [{ a: 1 }, [1]] }, null, ["must be one of an object or an array of 1 item, got null"])
  })

  it("proposes the nearest text of four or more", () => {
    const schema = { enum: ["celsius", "fahrenheit", "kelvin", "rankine"] }
    explains(schema, "farenheit", [
      'must be one of "celsius", "fahrenheit", "kelvin" or "rankine", got "farenheit"; did you mean "fahrenheit"?'
    ])
    explains(schema, "KELVIN", [
      'must be one of "celsius", "fahrenheit", "kelvin" or "rankine", got "KELVIN"; did you mean "kelvin"?'
    ])
    explains(schema, "parsec", ['must be one of "celsius", "fahrenheit", "kelvin" or "rankine", got "parsec"'])
    explains({ enum: ["yes", "no"] }, "yess", ['must be one of "yes" or "no", got "yess"'])
  })

  it("lists a dozen and counts the rest", () => {
    const listed = Array.from({ length: 12 }, (_, index) => `"option-${index}"`).join(", ")
    explains({ enum: many }, 5, [`must be one of ${listed} or 28 more, got 5`])
  })

  it("J12: must be an array", () => {
    for (const bad of ["a", {}, null, 1, true]) {
      assert.strictEqual(rejection({ enum: bad }), "#/enum: must be an array")
    }
  })
})
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
