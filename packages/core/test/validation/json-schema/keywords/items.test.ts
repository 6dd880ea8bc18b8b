import { assert, describe, it } from "@effect/vitest"
import { accepts, draft04, draft07, draft201909, draft202012, explains, refuses, rejection } from "../verdicts.ts"

const tuple = [{ type: "string" }, { type: "integer" }]

describe("items", () => {
  it("judges every item", () => {
    accepts({ items: { type: "integer" } }, [], [1, 2], [-0])
    refuses({ items: { type: "integer" } }, ["a"], [1, 2, "3"], [null], [1.5], [[1]])
  })

  it("is silent on what is no array", () => {
    accepts({ items: { type: "integer" } }, "a", { 0: "a", length: 1 }, null, 5, true)
  })

  it("may be a boolean", () => {
    accepts({ items: true }, [1, null])
    accepts({ items: false }, [])
    refuses({ items: false }, [null], [1, 2])
  })

  it("nests", () => {
    const schema = { items: { type: "array", items: { type: "array", items: { type: "boolean" } } } }
    accepts(schema, [], [[]], [[[]]], [[[true], [false, true]]])
    refuses(schema, [true], [[true]], [[[0]]], [[[true], [null]]])
    explains(schema, [[[true], [false, 0]]], ["/0/1/1: must be a boolean, got 0"])
  })

  it("J13: tells of each item that is wrong, up to the bound", () => {
    explains(
      { items: { type: "integer" } },
      [1, "b", 3, null],
      ['/1: must be an integer, got "b"', "/3: must be an integer, got null"]
    )
    explains(
      { items: { type: "integer" } },
      ["a", "b", "c"],
      ['/0: must be an integer, got "a"', '/1: must be an integer, got "b"'],
      { maxErrors: 2 }
    )
    explains({ items: false }, [1, 2], ["must have at most 0 items, got 2"])
  })

  it("J12: must be a schema", () => {
    for (const bad of [1, "a", null]) {
      assert.strictEqual(rejection({ items: bad }), "#/items: must be a schema: an object or a boolean")
    }
    assert.strictEqual(rejection({ items: { type: 1 } }), "#/items/type: must name a type of JSON Schema, got 1")
  })
})

describe("items of one schema each", () => {
  it("judges each item by its place, in the dialects that have it and where none is declared", () => {
    for (const dialect of [{}, { $schema: draft04 }, { $schema: draft07 }, { $schema: draft201909 }]) {
      const schema = { ...dialect, items: tuple }
      accepts(schema, [], ["a"], ["a", 1], ["a", 1, "anything", null])
      refuses(schema, [1], ["a", "b"], [null, 1])
      explains(schema, ["a", "b"], ['/1: must be an integer, got "b"'])
    }
  })

  it("J12: is an error where 2020-12 is declared", () => {
    assert.strictEqual(
      rejection({ $schema: draft202012, items: tuple }),
      "#/items: must be a schema: an object or a boolean"
    )
  })

  it("names the place of a schema in it", () => {
    assert.strictEqual(
      rejection({ items: [{}, { type: "int" }] }),
      '#/items/1/type: must name a type of JSON Schema, got "int"'
    )
  })
})

describe("additionalItems", () => {
  it("judges the items behind a tuple", () => {
    const schema = { $schema: draft07, items: tuple, additionalItems: { type: "null" } }
    accepts(schema, [], ["a"], ["a", 1, null, null])
    refuses(schema, ["a", 1, 2], ["a", 1, null, "x"])
    explains(schema, ["a", 1, null, 3], ["/3: must be null, got 3"])
  })

  it("of false ends the array", () => {
    const schema = { $schema: draft04, items: tuple, additionalItems: false }
    accepts(schema, [], ["a"], ["a", 1])
    refuses(schema, ["a", 1, 2])
    explains(schema, ["a", 1, 2, 3], ["must have at most 2 items, got 4"])
  })

  it("says nothing beside one schema for all, or without items", () => {
    accepts({ $schema: draft07, items: { type: "integer" }, additionalItems: false }, [1, 2])
    refuses({ $schema: draft07, items: { type: "integer" }, additionalItems: { type: "string" } }, ["a"])
    accepts({ $schema: draft07, additionalItems: false }, [1, 2])
    accepts({ $schema: draft07, items: true, additionalItems: false }, [1])
  })

  it("is read where no dialect is declared, and unknown to 2020-12", () => {
    refuses({ items: tuple, additionalItems: false }, ["a", 1, 2])
    accepts({ $schema: draft202012, additionalItems: false }, [1])
    accepts({ $schema: draft202012, additionalItems: "no schema" }, [1])
  })
})
