import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../src/schema/Json.ts"
import { createJsonSchemaArgumentValidator } from "../../../src/validation/json-schema/JsonSchemaValidator.ts"
import { compile, explains, refuses, untyped } from "./verdicts.ts"

const validate = (schema: unknown, value: unknown, maxErrors?: number) =>
  createJsonSchemaArgumentValidator({ maxErrors }).validate(untyped<JsonObject>(schema), value)

const listed = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`)

describe("errors", () => {
  it("J3: success says nothing else", () => {
    assert.deepStrictEqual(validate({ type: "integer" }, 1), { ok: true })
  })

  it("J13: each has a message, and the pointer of the place in the value unless that is the root", () => {
    const schema = { type: "object", required: ["z"], properties: { "a/b": { items: { type: "integer" } } } }
    assert.deepStrictEqual(validate(schema, { "a/b": [1, "x"] }), {
      ok: false,
      errors: [{ message: 'must have the property "z"' }, { path: "/a~1b/1", message: 'must be an integer, got "x"' }]
    })
  })

  it("J13: come in order of evaluation, at most maxErrors, the first of them", () => {
    const schema = {
      maxProperties: 0,
      required: ["a"],
      type: "object",
      properties: { b: { maximum: 1, type: "integer" } }
    }
    const all = [
      'must have the property "a"',
      "must have at most 0 properties, got 1",
      "must be an integer, got 2.5",
      "must be at most 1, got 2.5"
    ]
    for (let max = 1; max <= 6; max++) {
      assert.deepStrictEqual(
        validate(schema, { b: 2.5 }, max).errors?.map(({ message }) => message),
        all.slice(0, max)
      )
    }
  })

  it("J13: are 8 unless said, 64 at most", () => {
    const schema = { required: listed(100) }
    assert.deepStrictEqual(
      validate(schema, {}).errors?.map(({ message }) => message),
      listed(8).map((name) => `must have the property "${name}"`)
    )
    assert.lengthOf(validate(schema, {}, 64).errors ?? [], 64)
    assert.lengthOf(validate({ items: { type: "null" } }, listed(100), 64).errors ?? [], 64)
    assert.lengthOf(
      validate(
        { properties: Object.fromEntries(listed(100).map((name) => [name, false])) },
        Object.fromEntries(listed(100).map((name) => [name, 1]))
      ).errors ?? [],
      8
    )
  })

  it("there is one at least, whatever refuses", () => {
    const refusing: ReadonlyArray<unknown> = [
      false,
      { not: {} },
      { enum: [] },
      { allOf: [false] },
      { anyOf: [false, { not: {} }] },
      { oneOf: [true, true] },
      { oneOf: [false, false] },
      { if: true, then: false },
      { $ref: "#/$defs/no", $defs: { no: false } },
      { allOf: [{ anyOf: [{ allOf: [false] }] }] }
    ]
    for (const schema of refusing) refuses(schema, 1, {}, [], "a")
  })

  it("J3: every value and schema gives a result, never a throw", () => {
    const odd: ReadonlyArray<unknown> = [
      undefined,
      null,
      Symbol("x"),
      1n,
      () => 1,
      Number.NaN,
      new Date(Number.NaN),
      new Proxy({}, {}),
      new WeakMap(),
      {},
      []
    ]
    for (const schema of odd) for (const value of odd) assert.isBoolean(validate(schema, value).ok)
  })
})

describe("words in errors", () => {
  const secret = "s3cr3t-".repeat(10)

  it("a text of up to 60 characters is quoted, a longer one is described and never cut", () => {
    explains({ type: "integer" }, "x".repeat(60), [`must be an integer, got "${"x".repeat(60)}"`])
    explains({ type: "integer" }, "x".repeat(61), ["must be an integer, got a string of 61 characters"])
    explains({ type: "integer" }, 'a"b\n', ['must be an integer, got "a"b\n"'])
  })

  it("no part of a long text is told, wherever it stands", () => {
    const schemas: ReadonlyArray<readonly [unknown, unknown]> = [
      [{ type: "integer" }, secret],
      [{ enum: ["a", "b", "c", "d"] }, secret],
      [{ const: 1 }, secret],
      [{ pattern: "^x$" }, secret],
      [{ format: "uuid" }, secret],
      [{ maxLength: 3 }, secret],
      [{ not: { type: "string" } }, secret],
      [{ anyOf: [{ type: "integer" }, { type: "null" }] }, secret],
      [{ anyOf: [{ type: "string", maxLength: 1 }, { const: "x" }] }, secret],
      [false, secret],
      [{ additionalProperties: false, properties: { a: {} } }, { [secret]: 1 }],
      [{ unevaluatedProperties: false }, { [secret]: 1 }],
      [{ propertyNames: { maxLength: 3 } }, { [secret]: 1 }],
      [
        { oneOf: ["a", "b"].map((k) => ({ type: "object", properties: { k: { const: k } }, required: ["k"] })) },
        { k: secret }
      ]
    ]
    for (const [schema, value] of schemas) {
      const text = JSON.stringify(
        compile(schema)
          .problems(value)
          ?.map(({ message }) => message) ?? "accepted"
      )
      assert.notInclude(text, "s3cr3t")
      assert.notInclude(text, "accepted")
    }
  })

  it("nor of a long text in the schema", () => {
    for (const schema of [
      { const: secret },
      { enum: [secret, secret] },
      { required: [secret] },
      { dependentRequired: { a: [secret] } },
      { pattern: `^${secret}$` }
    ]) {
      const value = "pattern" in schema || "const" in schema || "enum" in schema ? "a" : { a: 1 }
      const text = JSON.stringify(
        compile(schema)
          .problems(value)
          ?.map(({ message }) => message) ?? "accepted"
      )
      assert.notInclude(text, "s3cr3t")
      assert.notInclude(text, "accepted")
    }
  })

  it("a message is bounded, whatever the schema lists and the value is", () => {
    const schemas: ReadonlyArray<readonly [unknown, unknown]> = [
      [{ enum: listed(5000) }, "x".repeat(5000)],
      [{ enum: Array.from({ length: 50 }, (_, index) => "y".repeat(60) + index) }, 1],
      [
        { oneOf: listed(500).map((k) => ({ type: "object", properties: { k: { const: k } }, required: ["k"] })) },
        { k: 1 }
      ],
      [
        { properties: Object.fromEntries(listed(900).map((name) => [name, {}])), additionalProperties: false },
        { ["z".repeat(5000)]: 1 }
      ],
      [{ type: ["string", "null", "boolean", "object", "array"] }, 1],
      [{ required: ["r".repeat(5000)] }, {}],
      [{ format: "uuid" }, "x".repeat(5000)]
    ]
    for (const [schema, value] of schemas) {
      const [problem] = compile(schema).problems(value) ?? []
      assert.isDefined(problem)
      assert.isBelow(problem?.message.length ?? Infinity, 1200)
    }
  })

  it("a pointer is bounded as well, and ends after a whole key", () => {
    const key = "k".repeat(300)
    const value = { [key]: { [key]: { [key]: { [key]: 1 } } } }
    const schema = { additionalProperties: { $ref: "#" }, type: "object" }
    assert.deepStrictEqual(validate(schema, value).errors, [
      { path: `/${key}/${key}/${key}/…`, message: "must be an object, got 1" }
    ])
  })
})

describe("the nearest name", () => {
  const closed = (...names: ReadonlyArray<string>) => ({
    properties: Object.fromEntries(names.map((name) => [name, {}])),
    additionalProperties: false
  })
  const proposed = (name: string, ...names: ReadonlyArray<string>): string | undefined =>
    /did you mean "(.*)"\?/.exec(compile(closed(...names)).problems({ [name]: 1 })?.[0]?.message ?? "")?.[1]

  it("is one that differs in case, dashes and underscores, or in a few letters", () => {
    assert.strictEqual(proposed("filePath", "file_path", "file"), "file_path")
    assert.strictEqual(proposed("FILE-PATH", "file_path"), "file_path")
    assert.strictEqual(proposed("qurey", "query", "quality"), "query")
    assert.strictEqual(proposed("querys", "query"), "query")
    assert.strictEqual(proposed("limt", "limit", "list"), "limit")
  })

  it("is none where nothing is near, or the name is long", () => {
    assert.isUndefined(proposed("x", "y"))
    assert.isUndefined(proposed("colour", "limit", "query"))
    assert.isUndefined(proposed("ab", "xy"))
    assert.isUndefined(proposed("k".repeat(61), "k".repeat(60)))
    assert.isUndefined(proposed("anything"))
  })

  it("is never one that the value has", () => {
    const problems = compile(closed("query", "limit")).problems({ query: "a", querry: "b" })
    assert.deepStrictEqual(
      problems?.map(({ message }) => message),
      ['must not have the property "querry"']
    )
  })

  it("a long name in a schema is in no message", () => {
    const { errors } = createJsonSchemaArgumentValidator().validate(
      { properties: { ["x".repeat(100_000)]: { type: "any" } } },
      1
    )
    assert.isBelow(JSON.stringify(errors).length, 1_000)
  })
})
