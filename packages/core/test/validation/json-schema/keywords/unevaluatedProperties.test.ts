import { assert, describe, it } from "@effect/vitest"
import { accepts, draft07, draft201909, explains, refuses, rejection } from "../verdicts.ts"

const has = (name: string) => ({ properties: { [name]: true }, required: [name] })

describe("unevaluatedProperties", () => {
  it("judges what its siblings do not answer for", () => {
    const schema = { properties: { a: {} }, patternProperties: { "^x": {} }, unevaluatedProperties: { type: "null" } }
    accepts(schema, {}, { a: 1, xy: 1 }, { b: null })
    refuses(schema, { b: 1 }, { a: 1, c: "x" })
    accepts({ unevaluatedProperties: false }, {}, [], "a", null)
    refuses({ unevaluatedProperties: false }, { a: 1 })
    accepts({ additionalProperties: true, unevaluatedProperties: false }, { a: 1 })
    refuses({ additionalProperties: { type: "string" }, unevaluatedProperties: false }, { a: 1 })
  })

  it("sees through allOf", () => {
    const schema = { allOf: [has("a"), { allOf: [has("b")] }], unevaluatedProperties: false }
    accepts(schema, { a: 1, b: 1 })
    refuses(schema, { a: 1, b: 1, c: 1 }, { a: 1 })
  })

  it("sees through every matching schema of anyOf, and no other", () => {
    const schema = {
      anyOf: [has("a"), has("b"), { properties: { c: { type: "null" } }, required: ["c"] }],
      unevaluatedProperties: false
    }
    accepts(schema, { a: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: 1, b: 1, c: null })
    refuses(schema, { a: 1, c: 1 }, { d: 1 }, { a: 1, d: 1 })
  })

  it("sees through the one matching schema of oneOf", () => {
    const schema = { oneOf: [has("a"), has("b")], unevaluatedProperties: false }
    accepts(schema, { a: 1 }, { b: 1 })
    refuses(schema, { a: 1, b: 1 }, { a: 1, c: 1 }, {})
  })

  it("sees through schemas that a constant tells apart", () => {
    const of = (kind: string, name: string) => ({
      type: "object",
      properties: { kind: { const: kind }, [name]: {} },
      required: ["kind"]
    })
    for (const word of ["oneOf", "anyOf"]) {
      const schema = { [word]: [of("a", "x"), of("b", "y")], unevaluatedProperties: false }
      accepts(schema, { kind: "a", x: 1 }, { kind: "b", y: 1 })
      refuses(schema, { kind: "a", y: 1 }, { kind: "b", x: 1 }, { kind: "c" })
    }
  })

  it("sees through if, then and else", () => {
    const schema = { if: has("a"), then: has("b"), else: has("c"), unevaluatedProperties: false }
    accepts(schema, { a: 1, b: 1 }, { c: 1 })
    refuses(schema, { a: 1, b: 1, c: 1 }, { c: 1, b: 1 }, { a: 1 })
    accepts({ if: has("a"), unevaluatedProperties: false }, { a: 1 }, {})
    refuses({ if: has("a"), unevaluatedProperties: false }, { b: 1 }, { a: 1, b: 1 })
  })

  it("sees nothing of a condition or an alternative that fails after it has matched some members", () => {
    const half = { properties: { b: true, a: { type: "string" } } }
    const failing = { if: half, properties: { a: {} }, unevaluatedProperties: false }
    accepts(failing, { b: 1, a: "x" }, { a: 1 })
    refuses(failing, { b: 1, a: 1 })
    const other = { anyOf: [half, { properties: { a: {} } }], unevaluatedProperties: false }
    accepts(other, { b: 1, a: "x" }, { a: 1 })
    refuses(other, { b: 1, a: 1 })
  })

  it("sees through references", () => {
    const schema = { $ref: "#/$defs/a", properties: { b: {} }, unevaluatedProperties: false, $defs: { a: has("a") } }
    accepts(schema, { a: 1 }, { a: 1, b: 1 })
    refuses(schema, { a: 1, c: 1 }, { b: 1 })
  })

  it("sees through dependentSchemas, where they apply", () => {
    const schema = {
      properties: { a: {} },
      dependentSchemas: { a: { properties: { b: {} } } },
      unevaluatedProperties: false
    }
    accepts(schema, { a: 1 }, { a: 1, b: 1 })
    refuses(schema, { b: 1 }, { a: 1, c: 1 })
  })

  it("sees nothing of what stands under not", () => {
    const schema = { not: { not: has("a") }, unevaluatedProperties: false }
    refuses(schema, { a: 1 })
    accepts({ ...schema, properties: { a: {} } }, { a: 1 })
  })

  it("sees nothing of what is elsewhere: cousins, members and parents", () => {
    refuses({ allOf: [has("a"), { unevaluatedProperties: false }] }, { a: 1 })
    refuses({ properties: { a: {} }, allOf: [{ unevaluatedProperties: false }] }, { a: 1 })
    const nested = { properties: { p: { properties: { a: {} } } }, unevaluatedProperties: false }
    accepts(nested, { p: { a: 1, b: 1 } })
    refuses(nested, { p: {}, a: 1 })
    refuses({ properties: { p: { unevaluatedProperties: false } } }, { p: { p: 1 } })
  })

  it("answers for everything where another one stands above it", () => {
    accepts({ allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false }, { a: 1 })
    accepts({ anyOf: [{ unevaluatedProperties: { type: "integer" } }], unevaluatedProperties: false }, { a: 1 })
    refuses({ anyOf: [{ unevaluatedProperties: { type: "integer" } }], unevaluatedProperties: false }, { a: "x" })
  })

  it("works below an array or another object", () => {
    const schema = { items: { allOf: [has("a")], unevaluatedProperties: false } }
    accepts(schema, [{ a: 1 }], [])
    refuses(schema, [{ a: 1, b: 1 }], [{ a: 1 }, {}])
    refuses({ properties: { p: { unevaluatedProperties: false } } }, { p: { q: 1 } })
  })

  it("names each property that is too much, and the nearest that is free", () => {
    const schema = { properties: { limit: {} }, allOf: [has("a")], unevaluatedProperties: false }
    explains(schema, { a: 1, limti: 1, z: 2 }, [
      'must not have the property "limti"; did you mean "limit"?',
      'must not have the property "z"'
    ])
    explains({ unevaluatedProperties: { type: "null" } }, { a: 1 }, ["/a: must be null, got 1"])
  })

  it("tells of a property that is declared only what is wrong with it", () => {
    const schema = { properties: { a: { type: "string" }, b: {} }, unevaluatedProperties: false }
    explains(schema, { a: 1, b: 1 }, ["/a: must be a string, got 1"])
  })

  it("is unknown to draft-07, known to 2019-09", () => {
    accepts({ $schema: draft07, unevaluatedProperties: false }, { a: 1 })
    refuses({ $schema: draft201909, unevaluatedProperties: false }, { a: 1 })
  })

  it("J12: must be a schema", () => {
    assert.strictEqual(
      rejection({ unevaluatedProperties: 1 }),
      "#/unevaluatedProperties: must be a schema: an object or a boolean"
    )
    assert.strictEqual(
      rejection({ unevaluatedItems: 1 }),
      "#/unevaluatedItems: must be a schema: an object or a boolean"
    )
  })
})
