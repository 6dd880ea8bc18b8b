import { assert, describe, it } from "@effect/vitest"
import { accepts, acceptsWithin, explains, isReadable, refuses, rejection } from "./verdicts.ts"

/** A chain of `length` references that ends in a schema of integers. */
const chain = (length: number) => ({
  $ref: "#/$defs/d1",
  $defs: Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `d${index + 1}`,
      index + 1 === length ? { type: "integer" } : { $ref: `#/$defs/d${index + 2}` }
    ])
  )
})

/** `allOf` that stands for itself and `width` others, each `schema`. */
const wide = (width: number, schema: unknown) => ({ allOf: Array.from({ length: width }, () => schema) })

describe("a reference within the document", () => {
  it("J9: is #, a pointer or an anchor", () => {
    accepts({ properties: { a: { $ref: "#" } }, required: [] }, { a: { a: {} } })
    const schema = {
      $defs: { x: { type: "integer", $anchor: "here" } },
      properties: { a: { $ref: "#/$defs/x" }, b: { $ref: "#here" } }
    }
    accepts(schema, { a: 1, b: 1 })
    refuses(schema, { a: "x" }, { b: "x" })
  })

  it("is read as a pointer in a URI fragment: ~0, ~1 and percent signs", () => {
    const names = {
      "a/b": "a~1b",
      "a~b": "a~0b",
      "a~1b": "a~01b",
      "a%b": "a%25b",
      'a"b': "a%22b",
      "ä b": "%C3%A4%20b",
      "": ""
    }
    for (const [name, written] of Object.entries(names)) {
      const schema = { $ref: `#/$defs/${written}`, $defs: { [name]: { type: "integer" } } }
      accepts(schema, 1)
      refuses(schema, "x")
    }
  })

  it("may lead into arrays, and into keywords that are not known", () => {
    const schema = {
      allOf: [true, { type: "integer" }],
      properties: { a: { $ref: "#/allOf/1" }, b: { $ref: "#/x-shared/deep/0" }, c: { $ref: "#/examples/0" } }
    }
    const whole = {
      ...schema,
      allOf: [true, { type: ["integer", "object"] }],
      "x-shared": { deep: [{ type: "null" }] },
      examples: [{ maximum: 1 }]
    }
    accepts(whole, { a: 1, b: null, c: 1 })
    refuses(whole, { a: "x" }, { b: 1 }, { c: 2 })
  })

  it("J6: the pointer of a fault in what only a reference reaches leads there", () => {
    assert.strictEqual(
      rejection({ $ref: "#/x-shared/deep/a", "x-shared": { deep: { a: { type: 5 } } } }),
      "#/x-shared/deep/a/type: must name a type of JSON Schema, got 5"
    )
    assert.strictEqual(
      rejection({ $ref: "#/x-shared", "x-shared": { type: 5 } }),
      "#/x-shared/type: must name a type of JSON Schema, got 5"
    )
    assert.strictEqual(rejection({ $ref: "#/a~1b", "a/b": { minimum: "1" } }), "#/a~1b/minimum: must be a number")
  })

  it("that leads nowhere is refused, with its place", () => {
    for (const reference of ["#/$defs/none", "#none", "#/properties/a/x", "#/$defs/toString", "#/0", "#/$defs/"]) {
      assert.strictEqual(
        rejection({ $defs: { a: {} }, properties: { a: { $ref: reference } } }),
        `#/properties/a/$ref: leads nowhere: ${JSON.stringify(reference)}`
      )
    }
    assert.strictEqual(rejection({ $ref: "#/title", title: "t" }), '#/$ref: leads to no schema: "#/title"')
    assert.strictEqual(rejection({ $ref: "#/%zz" }), "#/$ref: is no valid URI fragment")
  })

  it("recurs through members, items and combinators", () => {
    const list = {
      $defs: {
        list: {
          anyOf: [
            { type: "null" },
            { type: "object", properties: { next: { $ref: "#/$defs/list" } }, required: ["next"] }
          ]
        }
      },
      $ref: "#/$defs/list"
    }
    accepts(list, null, { next: null }, { next: { next: { next: null } } })
    refuses(list, {}, { next: 1 }, { next: { next: {} } })
    const pair = {
      $ref: "#/$defs/a",
      $defs: {
        a: { type: "array", items: { $ref: "#/$defs/b" } },
        b: { type: "object", additionalProperties: { $ref: "#/$defs/a" } }
      }
    }
    accepts(pair, [], [{}], [{ x: [{ y: [] }] }])
    refuses(pair, {}, [[]], [{ x: [{ y: [1] }] }])
  })
})

describe("a reference out of the document", () => {
  it("J6, J9: is refused, with its place", () => {
    const remote = [
      "other.json",
      "https://example.org/a",
      "urn:example:a",
      "other.json#/a",
      "",
      "/a",
      "file:///etc/passwd",
      "%23"
    ]
    for (const reference of remote) {
      assert.strictEqual(
        rejection({ properties: { "a/b": { items: { $ref: reference } } } }),
        `#/properties/a~1b/items/$ref: remote $ref is not allowed: ${JSON.stringify(reference)}`
      )
    }
  })

  it("is refused where nothing leads to it, and under $dynamicRef and $recursiveRef", () => {
    assert.include(rejection({ $defs: { a: { $ref: "other.json" } } }), "#/$defs/a/$ref: remote $ref is not allowed")
    assert.include(rejection({ $dynamicRef: "other.json" }), "#/$dynamicRef: remote $ref is not allowed")
    assert.include(rejection({ $recursiveRef: "other.json" }), "#/$recursiveRef: remote $ref is not allowed")
    assert.include(rejection({ if: true, else: { $ref: "other.json" } }), "#/else/$ref: remote $ref is not allowed")
    assert.include(rejection({ $ref: "#/x", x: { $ref: "other.json" } }), "remote $ref is not allowed")
  })

  it("is refused even where $id gives the document that address", () => {
    assert.include(
      rejection({ $id: "https://example.org/a", properties: { p: { $ref: "https://example.org/a" } } }),
      "remote $ref"
    )
    assert.include(rejection({ $defs: { a: { $id: "item.json" } }, $ref: "item.json" }), "remote $ref")
  })
})

describe("$id", () => {
  it("opens a resource, where # and pointers start", () => {
    const schema = {
      $id: "https://example.org/root",
      type: "object",
      properties: {
        a: { $id: "a", type: "array", items: { $ref: "#/$defs/x" }, $defs: { x: { type: "integer" } } },
        b: { $id: "b", properties: { c: { $ref: "#" } } }
      },
      $defs: { x: { type: "string" } }
    }
    accepts(schema, { a: [1] }, { b: { c: { c: 1 } } }, { b: 5 })
    refuses(schema, { a: ["x"] })
    assert.strictEqual(
      rejection({ $defs: { x: {} }, properties: { a: { $id: "a", $ref: "#/$defs/x" } } }),
      '#/properties/a/$ref: leads nowhere: "#/$defs/x"'
    )
  })

  it("keeps anchors apart", () => {
    const schema = {
      $defs: { here: { $anchor: "x", type: "string" } },
      properties: {
        out: { $ref: "#x" },
        in: { $id: "in", $ref: "#x", $defs: { here: { $anchor: "x", type: "integer" } } }
      }
    }
    accepts(schema, { out: "a", in: 1 })
    refuses(schema, { out: 1 }, { in: "a" })
  })

  it("may be relative, or of the origin of the document", () => {
    for (const $id of ["item", "./item.json", "/item", "https://example.org/b/item", "HTTPS://EXAMPLE.ORG/c"]) {
      isReadable({ $id: "https://example.org/root", $defs: { a: { $id } } })
    }
    isReadable({ $id: "urn:example:root", $defs: { a: { $id: "urn:example:a" } } })
    isReadable({ $id: "https://anywhere.example/x" })
  })

  it("that leaves the document is refused, with its place", () => {
    const cases = [
      ["https://example.org/root", "https://elsewhere.org/a"],
      ["https://example.org/root", "http://example.org/a"],
      ["https://example.org/root", "https://example.org:8080/a"],
      ["https://example.org/root", "//example.org/a"],
      ["https://example.org/root", "urn:a"],
      ["", "https://example.org/a"]
    ]
    for (const [root, $id] of cases) {
      assert.strictEqual(
        rejection({ $id: root, properties: { p: { $id } } }),
        `#/properties/p/$id: $id leaves the document: ${JSON.stringify($id)}`
      )
    }
    assert.include(rejection({ properties: { p: { $id: "https://example.org/a" } } }), "$id leaves the document")
  })

  it("is data where no schema stands", () => {
    isReadable({ const: { $id: "https://elsewhere.org/a" }, properties: { $id: { const: 1 } } })
  })
})

describe("what combinators cost", () => {
  it("a loop that consumes nothing is refused", () => {
    const loops = [
      { $ref: "#" },
      { allOf: [{ $ref: "#" }] },
      { anyOf: [{ type: "string" }, { $ref: "#" }] },
      { oneOf: [{ not: { $ref: "#" } }] },
      { if: { $ref: "#" } },
      { if: true, then: { $ref: "#" } },
      { dependentSchemas: { a: { $ref: "#" } } },
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
      { $dynamicAnchor: "x", allOf: [{ $dynamicRef: "#x" }] },
      { $recursiveRef: "#" }
    ]
    for (const schema of loops) assert.match(rejection(schema), /: references form a loop that consumes nothing$/)
  })

  it("a loop that consumes a member, an item or a name is none", () => {
    isReadable({ properties: { a: { $ref: "#" } } })
    isReadable({ items: { $ref: "#" } })
    isReadable({ additionalProperties: { $ref: "#" } })
    isReadable({ contains: { $ref: "#" } })
    isReadable({ propertyNames: { $ref: "#" } })
    isReadable({ unevaluatedItems: { $ref: "#" } })
  })

  it("10,000 schemas may judge one value, not one more", () => {
    const fan = (last: number) => ({ allOf: [...Array.from({ length: 98 }, () => wide(100, true)), wide(last, true)] })
    isReadable(fan(100))
    assert.strictEqual(rejection(fan(101)), "#: combinators expand to more than 10000 schemas for one value")
  })

  it("counts what references lead to each time that they lead there", () => {
    const doubling = (levels: number) => ({
      $ref: "#/$defs/l0",
      $defs: Object.fromEntries(
        Array.from({ length: levels + 1 }, (_, level) => [
          `l${level}`,
          level === levels ? {} : wide(2, { $ref: `#/$defs/l${level + 1}` })
        ])
      )
    })
    isReadable(doubling(8))
    assert.match(rejection(doubling(40)), /combinators expand to more than 10000 schemas for one value$/)
  })

  it("256 may stand between a schema and what it applies, not one more", () => {
    const widest = { maxSchemaRefs: 1024 }
    acceptsWithin(widest, chain(256), 1, 2)
    explains(chain(256), "x", ['must be an integer, got "x"'], widest)
    assert.strictEqual(rejection(chain(257), widest), "#: combinators nest deeper than 256 for one value")
  })

  it("explains at the end of a long chain", () => {
    explains(chain(120), "x", ['must be an integer, got "x"'])
  })

  it("J6: a branch that no condition chooses applies nothing", () => {
    accepts({ then: { $ref: "#" } }, 1)
    assert.strictEqual(
      rejection({ if: true, then: { $ref: "#" } }),
      "#/then: references form a loop that consumes nothing"
    )
  })

  it("is named by an identifier that is a fragment where no dialect is declared", () => {
    refuses({ $defs: { a: { $id: "#text", type: "string" } }, $ref: "#text" }, 1)
  })

  it("J3: a long chain of combinators is refused before the stack is at its end", () => {
    for (const keyword of ["not", "if"]) {
      const wrap = (inner: object): object => (keyword === "not" ? { not: inner } : { if: inner, then: true })
      const $defs = Object.fromEntries(
        Array.from({ length: 80 }, (_, index) => {
          let inner: object = index === 79 ? {} : { $ref: `#/$defs/d${index + 1}` }
          for (let level = 0; level < 55; level++) inner = wrap(inner)
          return [`d${index}`, inner]
        })
      )
      assert.match(rejection({ $ref: "#/$defs/d0", $defs }), /combinators nest deeper than 256 for one value$/)
    }
  })
})
