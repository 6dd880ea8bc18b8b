import { describe, it } from "@effect/vitest"
import { accepts, explains, refuses } from "../verdicts.ts"

const event = (kind: string, more: object) => ({
  type: "object",
  properties: { kind: { const: kind }, ...more },
  required: ["kind"]
})

describe("anyOf", () => {
  it("wants one schema or more to match", () => {
    const schema = { anyOf: [{ type: "string", minLength: 2 }, { type: "integer" }, { minimum: 10 }] }
    accepts(schema, "ab", 1, 10.5, 12, null)
    refuses(schema, 1.5)
    refuses({ anyOf: [{ type: "string" }, { type: "null" }] }, 0, false, [], {})
    refuses({ anyOf: [false, false] }, 1)
    accepts({ anyOf: [false, true] }, 1)
  })

  it("stands beside other keywords", () => {
    const schema = { type: "object", required: ["c"], anyOf: [{ required: ["a"] }, { required: ["b"] }] }
    accepts(schema, { c: 1, a: 1 }, { c: 1, b: 1, a: 1 })
    refuses(schema, { c: 1 }, { a: 1, b: 1 }, [])
  })

  it("names the types where none fits, else tells of the nearest", () => {
    explains({ anyOf: [{ type: "string" }, { type: "null" }] }, 5, ["must be one of the types null, string, got 5"])
    explains({ anyOf: [{ type: "string", minLength: 3 }, { type: "integer" }] }, "ab", [
      "must have at least 3 characters, got 2"
    ])
    explains({ anyOf: [{ minimum: 5 }, { minimum: 7, multipleOf: 2 }] }, 3, [
      "must match one of 2 alternatives, got 3",
      "must be at least 5, got 3"
    ])
    explains({ anyOf: [{ minimum: 5 }, { minimum: 7 }] }, 3, ["must match one of 2 alternatives, got 3"])
  })
})

describe("anyOf whose schemas a constant tells apart", () => {
  const anyOf = [event("click", { x: { type: "integer" } }), event("key", { code: { type: "string" } })]

  it("judges the one that the constant selects", () => {
    accepts({ anyOf }, { kind: "click" }, { kind: "click", x: 1 }, { kind: "key", code: "a", x: "any" })
    refuses({ anyOf }, { kind: "click", x: "1" }, { kind: "key", code: 1 }, { kind: "other" }, {}, { x: 1 })
    refuses({ anyOf }, null, [], "click", 1, ["click"])
  })

  it("tells of that one alone, or of the constants that there are", () => {
    explains({ anyOf }, { kind: "click", x: "1" }, ['/x: must be an integer, got "1"'])
    explains({ anyOf }, { kind: "drag" }, ['/kind: must be one of "click" or "key", got "drag"'])
    explains({ anyOf }, {}, ['must have the property "kind", one of "click" or "key"'])
    explains({ anyOf }, 7, ["must be an object, got 7"])
  })

  it("holds for constants of any type, and for several in one schema", () => {
    const schema = {
      anyOf: [
        { type: "object", properties: { v: { enum: [1, 2, null] }, n: { type: "null" } }, required: ["v"] },
        { type: "object", properties: { v: { const: "1" }, n: { type: "string" } }, required: ["v"] },
        { type: "object", properties: { v: { const: true } }, required: ["v", "n"] }
      ]
    }
    accepts(schema, { v: 1, n: null }, { v: "1", n: "a" }, { v: null }, { v: true, n: 1 })
    refuses(schema, { v: 1, n: "a" }, { v: "1", n: null }, { v: true }, { v: false, n: 1 }, { v: 3 })
  })

  it("asks for an own member, be it named as a prototype's", () => {
    const named = (kind: unknown) => ({
      type: "object",
      properties: { valueOf: { const: kind } },
      required: ["valueOf"]
    })
    accepts({ anyOf: [named("a"), named("b")] }, { valueOf: "b" })
    refuses({ anyOf: [named("a"), named("b")] }, {}, { valueOf: "c" }, { valueOf: null })
  })

  it("is through references as well", () => {
    const schema = {
      anyOf: [{ $ref: "#/$defs/click" }, { $ref: "#/$defs/key" }],
      $defs: { click: anyOf[0], key: { $ref: "#/$defs/other" }, other: anyOf[1] }
    }
    accepts(schema, { kind: "click", x: 1 }, { kind: "key" })
    refuses(schema, { kind: "click", x: "1" }, { kind: "x" }, [])
  })

  it("gives way where a schema also takes what is no object, shares a constant or leaves it open", () => {
    const open = { type: ["object", "string"], properties: { kind: { const: "open" } }, required: ["kind"] }
    accepts({ anyOf: [...anyOf, open] }, "text", { kind: "open" }, { kind: "click" })
    refuses({ anyOf: [...anyOf, open] }, 1, { kind: "no" })
    const shared = [...anyOf, event("click", { x: { type: "string" } })]
    accepts({ anyOf: shared }, { kind: "click", x: "1" }, { kind: "click", x: 1 }, { kind: "click" })
    refuses({ anyOf: shared }, { kind: "click", x: null })
    accepts({ oneOf: shared }, { kind: "click", x: "1" }, { kind: "click", x: 1 })
    refuses({ oneOf: shared }, { kind: "click" })
    const optional = { type: "object", properties: { kind: { const: "maybe" } } }
    accepts({ anyOf: [...anyOf, optional] }, {}, { kind: "maybe" })
    const nullable = { ...event("n", {}), nullable: true }
    accepts({ anyOf: [...anyOf, nullable] }, null, { kind: "n" })
  })
})
