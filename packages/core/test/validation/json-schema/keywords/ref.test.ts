import { assert, describe, it } from "@effect/vitest"
import { accepts, draft201909, draft202012, explains, refuses, rejection } from "../verdicts.ts"

const tree = {
  type: "object",
  properties: { value: { type: "integer" }, children: { type: "array", items: { $ref: "#" } } },
  required: ["value"],
  additionalProperties: false
}

describe("$ref", () => {
  it("judges as its target does", () => {
    const schema = { $defs: { small: { maximum: 9 } }, properties: { n: { $ref: "#/$defs/small" } } }
    accepts(schema, { n: 9 }, {}, { n: "a" })
    refuses(schema, { n: 10 })
    explains(schema, { n: 10 }, ["/n: must be at most 9, got 10"])
  })

  it("stands beside other keywords since 2019-09", () => {
    const schema = { $defs: { small: { maximum: 9 } }, $ref: "#/$defs/small", minimum: 5 }
    accepts(schema, 7)
    refuses(schema, 4, 10)
    refuses({ ...schema, $schema: draft201909 }, 4, 10)
    refuses({ ...schema, $schema: draft202012 }, 4, 10)
  })

  it("recurs", () => {
    accepts(tree, { value: 1 }, { value: 1, children: [{ value: 2, children: [{ value: 3 }] }] })
    refuses(tree, {}, { value: 1, children: [{}] }, { value: 1, children: [{ value: 2, children: [{ value: "3" }] }] })
    explains(tree, { value: 1, children: [{ value: 2 }, { value: 3, children: [{ value: "4" }] }] }, [
      '/children/1/children/0/value: must be an integer, got "4"'
    ])
  })

  it("J6: must be a string, and begin with #", () => {
    for (const bad of [1, null, {}, true]) assert.strictEqual(rejection({ $ref: bad }), "#/$ref: must be a string")
  })

  it("is a property where a property is named so, and a value where a value stands", () => {
    accepts({ properties: { $ref: { type: "string" } } }, { $ref: "other.json" })
    refuses({ properties: { $ref: { type: "string" } } }, { $ref: 1 })
    accepts({ enum: [{ $ref: "other.json" }] }, { $ref: "other.json" })
  })
})

describe("$dynamicRef", () => {
  const list = {
    $id: "https://example.org/list",
    $schema: draft202012,
    $defs: { item: { $dynamicAnchor: "item" } },
    type: "array",
    items: { $dynamicRef: "#item" }
  }

  it("leads to the anchor of its own resource where none is around it", () => {
    accepts(list, [1, "a"], [])
    const strict = { ...list, $defs: { item: { $dynamicAnchor: "item", type: "string" } } }
    accepts(strict, ["a"])
    refuses(strict, [1])
  })

  it("leads to the anchor of the outermost resource", () => {
    const schema = {
      $id: "https://example.org/strings",
      $schema: draft202012,
      $ref: "#/$defs/list",
      $defs: { item: { $dynamicAnchor: "item", type: "string" }, list: { ...list, $id: "list" } }
    }
    accepts(schema, ["a"])
    refuses(schema, [1], ["a", 1])
    explains(schema, [1], ["/0: must be a string, got 1"])
  })

  it("is a plain reference to an $anchor or a pointer", () => {
    const schema = {
      $schema: draft202012,
      properties: { a: { $dynamicRef: "#plain" }, b: { $dynamicRef: "#/$defs/p" } },
      $defs: { p: { $anchor: "plain", type: "null" } }
    }
    accepts(schema, { a: null, b: null })
    refuses(schema, { a: 1 }, { b: 1 })
  })

  it("$ref to a $dynamicAnchor stays in its resource", () => {
    const schema = {
      $id: "https://example.org/outer",
      $ref: "#/$defs/inner",
      $defs: {
        over: { $dynamicAnchor: "x", type: "string" },
        inner: { $id: "inner", items: { $ref: "#x" }, $defs: { own: { $dynamicAnchor: "x", type: "integer" } } }
      }
    }
    accepts(schema, [1])
    refuses(schema, ["a"])
  })

  it("recurs", () => {
    const schema = { $dynamicAnchor: "node", properties: { next: { $dynamicRef: "#node" }, v: { type: "integer" } } }
    accepts(schema, { next: { next: { v: 1 } } })
    refuses(schema, { next: { next: { v: "1" } } })
  })

  it("is unknown to 2019-09", () => {
    accepts({ $schema: draft201909, $dynamicRef: "nowhere" }, 1)
  })
})

describe("$recursiveRef", () => {
  const inner = { $id: "tree", type: "object", properties: { kids: { items: { $recursiveRef: "#" } } } }

  it("leads to its own resource, unless that is open to be extended", () => {
    const schema = {
      $id: "https://example.org/strict",
      $schema: draft201909,
      $defs: { inner },
      required: ["name"],
      $ref: "#/$defs/inner"
    }
    accepts({ ...schema, $recursiveAnchor: true }, { name: 1, kids: [{}] })
    refuses({ ...schema, $recursiveAnchor: true }, { kids: [] })
    refuses({ ...schema, $recursiveAnchor: true }, { name: 1, kids: [1] })
  })

  it("leads to the outermost resource that is open, where its own is", () => {
    const schema = {
      $id: "https://example.org/strict",
      $schema: draft201909,
      $recursiveAnchor: true,
      $defs: { inner: { ...inner, $recursiveAnchor: true } },
      required: ["name"],
      $ref: "#/$defs/inner"
    }
    accepts(schema, { name: 1, kids: [{ name: 2 }] })
    refuses(schema, { name: 1, kids: [{}] }, { name: 1, kids: [{ name: 1, kids: [{}] }] })
  })

  it("is unknown to declared 2020-12", () => {
    accepts({ $schema: draft202012, $recursiveRef: "nowhere", properties: { a: { $recursiveRef: 7 } } }, { a: 1 })
  })
})
