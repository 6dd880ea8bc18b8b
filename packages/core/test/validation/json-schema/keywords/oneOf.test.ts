import { describe, it } from "@effect/vitest"
import { accepts, explains, refuses } from "../verdicts.ts"

describe("oneOf", () => {
  it("wants exactly one schema to match", () => {
    const schema = { oneOf: [{ type: "integer" }, { minimum: 2 }] }
    accepts(schema, 1, 2.5, "a", null)
    refuses(schema, 3, 1.5, 2)
    refuses({ oneOf: [true, true] }, 1)
    refuses({ oneOf: [false, false] }, 1)
    accepts({ oneOf: [true, false, false] }, 1)
    refuses({ oneOf: [true, false, true] }, 1)
  })

  it("stands beside other keywords, and nests", () => {
    const schema = {
      maxProperties: 2,
      oneOf: [{ required: ["a"] }, { oneOf: [{ required: ["b"] }, { required: ["c"] }] }]
    }
    accepts(schema, { a: 1 }, { b: 1 }, { a: 1, x: 1 })
    refuses(schema, {}, { a: 1, b: 1 }, { b: 1, c: 1, d: 1 }, { b: 1, c: 1 })
    accepts({ oneOf: schema.oneOf }, { a: 1, b: 1, c: 1 })
  })

  it("judges objects and arrays in its schemas", () => {
    const schema = {
      oneOf: [
        { type: "array", items: { type: "integer" } },
        { type: "array", items: { type: "string" } },
        { type: "object", properties: { a: { type: "null" } } }
      ]
    }
    accepts(schema, [1], ["a"], {}, { a: null })
    refuses(schema, [], [1, "a"], { a: 1 }, 1)
  })

  it("says that none matches, or that several do", () => {
    explains({ oneOf: [{ type: "integer" }, { minimum: 2 }] }, 3, [
      "must match exactly one of 2 alternatives, but matches several"
    ])
    explains({ oneOf: [{ type: "string" }, { type: "null" }] }, 3, ["must be one of the types null, string, got 3"])
    explains(
      { oneOf: [{ type: "string" }, { type: "array", items: { type: "null" } }] },
      [1],
      ["/0: must be null, got 1"]
    )
  })
})

describe("oneOf whose schemas a constant tells apart", () => {
  const shape = (type: string, size: string) => ({
    type: "object",
    properties: { type: { const: type }, [size]: { type: "number", exclusiveMinimum: 0 } },
    required: ["type", size],
    additionalProperties: false
  })
  const schema = {
    oneOf: [shape("circle", "radius"), shape("square", "side"), { $ref: "#/$defs/dot" }],
    $defs: { dot: shape("dot", "at") }
  }

  it("judges the one that the constant selects", () => {
    accepts(schema, { type: "circle", radius: 1 }, { side: 2, type: "square" }, { type: "dot", at: 0.5 })
    refuses(
      schema,
      { type: "circle", side: 1 },
      { type: "circle" },
      { radius: 1 },
      { type: "line", radius: 1 },
      [],
      null
    )
    refuses(
      schema,
      { type: "circle", radius: 0 },
      { type: "square", side: 1, radius: 1 },
      { type: ["circle"], radius: 1 }
    )
  })

  it("tells of that one alone", () => {
    explains(schema, { type: "circle", radius: "1", raduis: 1 }, [
      '/radius: must be a number, got "1"',
      'must not have the property "raduis"'
    ])
    explains(schema, { type: "line" }, ['/type: must be one of "circle", "square" or "dot", got "line"'])
  })

  it("J11: does not let the bounds of the value out of sight", () => {
    const open = {
      oneOf: [
        { type: "object", properties: { k: { const: 1 } }, required: ["k"] },
        { type: "object", properties: { k: { const: 2 } }, required: ["k"] }
      ]
    }
    explains(open, JSON.parse('{"k":1,"x":{"__proto__":1}}'), ["x.__proto__: forbidden property key"])
    accepts(open, { k: 1, x: { deep: [1] } })
  })
})
