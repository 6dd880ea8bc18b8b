import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

const properties = { name: { type: "string" }, age: { type: "integer", minimum: 0 } }

describe("properties", () => {
  it("judges the members it declares, where they are", () => {
    accepts({ properties }, {}, { name: "a" }, { name: "a", age: 0, other: null })
    refuses({ properties }, { name: 1 }, { age: -1 }, { name: "a", age: "1" })
    accepts({ properties }, [], "name", null, 1)
  })

  it("takes booleans", () => {
    accepts({ properties: { a: true } }, { a: null })
    refuses({ properties: { a: false } }, { a: null })
    accepts({ properties: { a: false } }, {}, { b: 1 })
    explains({ properties: { a: false } }, { a: 1 }, ["/a: must be absent, got 1"])
  })

  it("declares own members alone, be they named as a prototype's", () => {
    for (const name of ["toString", "hasOwnProperty", "valueOf", "isPrototypeOf", "propertyIsEnumerable"]) {
      accepts({ properties: { [name]: { type: "integer" } } }, {}, { [name]: 1 })
      refuses({ properties: { [name]: { type: "integer" } } }, { [name]: "a" })
      accepts(
        { type: "object", properties: { [name]: { type: "integer" } }, additionalProperties: false },
        { [name]: 1 }
      )
      refuses({ type: "object", properties, additionalProperties: false }, { [name]: 1 })
      accepts({ properties, additionalProperties: { type: "null" } }, { [name]: null })
      refuses({ properties, additionalProperties: { type: "null" } }, { [name]: 1 })
    }
  })

  it("takes names that are no identifiers", () => {
    const odd = ["", " ", '"', "\\", "\n", "\u2028", "a.b", "1", "${x}", "é", "x".repeat(80), "v", "c0", "class"]
    for (const name of odd) {
      const schema = { properties: { [name]: { type: "integer" } }, required: [name], additionalProperties: false }
      accepts(schema, { [name]: 1 })
      refuses(schema, { [name]: "a" }, {}, { [name]: 1, more: 1 })
    }
  })

  it("escapes names in the pointer of an error", () => {
    explains({ properties: { "a/b~c": { type: "null" } } }, { "a/b~c": 1 }, ["/a~1b~0c: must be null, got 1"])
    explains({ properties: { "": { type: "null" } } }, { "": 1 }, ["/: must be null, got 1"])
  })

  it("nests, and tells of each member in order of the value", () => {
    const schema = { properties: { p: { properties } } }
    explains(schema, { p: { age: -1, name: 2 } }, [
      "/p/age: must be at least 0, got -1",
      "/p/name: must be a string, got 2"
    ])
  })

  it("J12: must be an object of schemas; an empty array is read as none", () => {
    for (const bad of ["a", 1, null, ["a"], true]) {
      assert.strictEqual(rejection({ properties: bad }), "#/properties: must be an object")
    }
    assert.strictEqual(
      rejection({ properties: { "a/b": 1 } }),
      "#/properties/a~1b: must be a schema: an object or a boolean"
    )
    accepts({ properties: [] }, {}, { a: 1 })
  })
})

describe("patternProperties", () => {
  it("judges each member whose name matches, unanchored", () => {
    const schema = { patternProperties: { "^x-": { type: "string" }, "\\d": { maxLength: 2 } } }
    accepts(schema, {}, { "x-a": "long text", a1: "ab", other: 1 }, { "x-1": "ab" })
    refuses(schema, { "x-a": 1 }, { "b-2": "abc" }, { "x-1": "abc" }, { "x-1": 1 })
    accepts(schema, [], "x-1", null)
  })

  it("adds to properties", () => {
    const schema = { properties: { ab: { minimum: 2 } }, patternProperties: { "^a": { maximum: 3 } } }
    accepts(schema, { ab: 2 }, { ab: 3, ac: 1, b: 9 })
    refuses(schema, { ab: 1 }, { ab: 4 }, { ac: 4 })
    explains({ ...schema, patternProperties: { "^a": { type: "string" } } }, { ab: 1 }, [
      "/ab: must be at least 2, got 1",
      "/ab: must be a string, got 1"
    ])
  })

  it("may refuse names", () => {
    refuses({ patternProperties: { "^_": false } }, { ["_a"]: 1 })
    accepts({ patternProperties: { "^_": false } }, { a: 1 })
  })

  it("J12: wants regular expressions for names", () => {
    assert.match(
      rejection({ patternProperties: { "(": {} } }),
      /^#\/patternProperties.*: it is no ECMAScript regular expression$/
    )
    assert.strictEqual(rejection({ patternProperties: 1 }), "#/patternProperties: must be an object")
  })

  it("J6: the pointer leads to the name that is refused", () => {
    const schema = { patternProperties: { "^a": {}, "(/": {} } }
    assert.strictEqual(rejection(schema), "#/patternProperties/(~1: it is no ECMAScript regular expression")
  })
})

describe("additionalProperties", () => {
  it("judges what the other two do not name", () => {
    const schema = { properties, patternProperties: { "^x-": true }, additionalProperties: { type: "boolean" } }
    accepts(schema, { name: "a", "x-a": 1, more: true })
    refuses(schema, { more: 1 }, { name: "a", "X-a": 1 })
    explains(schema, { more: 1 }, ["/more: must be a boolean, got 1"])
  })

  it("of false closes the object", () => {
    accepts({ additionalProperties: false }, {}, [], "a")
    refuses({ additionalProperties: false }, { a: 1 })
    const schema = { properties, additionalProperties: false }
    accepts(schema, {}, { name: "a", age: 1 })
    refuses(schema, { name: "a", more: 1 }, { nam: "a" }, { Name: "a" })
    refuses({ ...schema, patternProperties: { "^x-": true } }, { "y-x-": 1 })
  })

  it("does not see what an allOf beside it names", () => {
    const schema = { allOf: [{ properties: { a: {} } }], properties: { b: {} }, additionalProperties: false }
    accepts(schema, { b: 1 })
    refuses(schema, { a: 1 }, { a: 1, b: 1 })
  })

  it("proposes the nearest name that is still free", () => {
    const schema = { properties: { file_path: {}, limit: {} }, additionalProperties: false }
    explains(schema, { filePath: "a" }, ['must not have the property "filePath"; did you mean "file_path"?'])
    explains(schema, { limt: 1 }, ['must not have the property "limt"; did you mean "limit"?'])
    explains(schema, { limit: 1, limt: 1 }, ['must not have the property "limt"'])
    explains(schema, { colour: 1 }, ['must not have the property "colour"'])
  })

  it("J12: must be a schema", () => {
    for (const bad of ["a", 1, null, []]) {
      assert.strictEqual(
        rejection({ additionalProperties: bad }),
        "#/additionalProperties: must be a schema: an object or a boolean"
      )
    }
  })
})
