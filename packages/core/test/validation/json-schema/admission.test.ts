import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { SchemaRejectedError } from "../../../src/errors/SchemaRejectedError.ts"
import type { JsonObject } from "../../../src/schema/Json.ts"
import {
  createJsonSchemaArgumentValidator,
  type JsonSchemaValidatorOptions,
  makeValidator,
  resolveLimits
} from "../../../src/validation/json-schema/JsonSchemaValidator.ts"
import { rejection, untyped } from "./verdicts.ts"

const validate = (schema: unknown, options: JsonSchemaValidatorOptions = {}) =>
  createJsonSchemaArgumentValidator(options).validate(untyped<JsonObject>(schema), 1)

/** A schema under `default`, `levels` deep: its innermost value is on that level. */
const deep = (levels: number, leaf: unknown = 1, wrap: (inner: unknown) => unknown = (inner) => ({ x: inner })) => {
  let inner = leaf
  for (let level = 1; level < levels; level++) inner = wrap(inner)
  return { default: inner }
}

const throwing = () => {
  throw new Error("a trap")
}

class Dressed {
  type = "integer"
}

describe("a schema that is no plain JSON", () => {
  const holed = [1, 1, 1]
  holed.length = 4
  const none: ReadonlyArray<readonly [unknown, string]> = [
    [undefined, "#: must be plain JSON, not undefined"],
    [Symbol("x"), "#: must be plain JSON, not symbol"],
    [1n, "#: must be plain JSON, not bigint"],
    [() => true, "#: must be plain JSON, not function"],
    [Number.NaN, "#: must be a finite number"],
    [new Dressed(), "#: must be a plain object"],
    [new Date(0), "#: must be a plain object"],
    [new Map(), "#: must be a plain object"],
    [{ default: Number.NaN }, "#/default: must be a finite number"],
    [{ default: -Infinity }, "#/default: must be a finite number"],
    [{ properties: { a: undefined } }, "#/properties/a: must be plain JSON, not undefined"],
    [{ enum: [1, () => 1] }, "#/enum/1: must be plain JSON, not function"],
    [{ "a/b": { "c~d": Symbol("x") } }, "#/a~1b/c~0d: must be plain JSON, not symbol"],
    [{ default: 10n }, "#/default: must be plain JSON, not bigint"],
    // A hole is what a JSON text would not keep.
    [{ enum: holed }, "#/enum/3: must be plain JSON, not undefined"],
    [{ properties: { a: new Dressed() } }, "#/properties/a: must be a plain object"],
    [{ default: new Date(0) }, "#/default: must be a plain object"],
    [{ default: /x/ }, "#/default: must be a plain object"],
    [Object.create({ type: "integer" }), "#: must be a plain object"],
    [{ toJSON: () => ({}) }, "#/toJSON: must be plain JSON, not function"]
  ]

  it("J3, J6: is refused with its place", () => {
    for (const [schema, reason] of none) {
      assert.strictEqual(rejection(schema), reason)
      const result = validate(schema)
      assert.deepInclude(result, { ok: false, code: "schema_rejected" })
      assert.lengthOf(result.errors ?? [], 1)
    }
  })

  it("J3, J6: is refused where looking at it throws", () => {
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    const hostile: ReadonlyArray<unknown> = [
      Object.defineProperty({}, "type", { enumerable: true, get: throwing }),
      { properties: Object.defineProperty({}, "a", { enumerable: true, get: throwing }) },
      new Proxy({}, { ownKeys: throwing }),
      new Proxy({ type: "integer" }, { get: throwing }),
      new Proxy({}, { getPrototypeOf: throwing }),
      new Proxy([], { get: throwing }),
      revoked.proxy,
      { default: revoked.proxy }
    ]
    for (const schema of hostile) {
      const result = validate(schema)
      assert.deepInclude(result, { ok: false, code: "schema_rejected" })
      assert.match(result.errors?.[0]?.message ?? "", /must be plain JSON/)
    }
  })

  it("J6: the pointer leads to the member that throws, or to what has it", () => {
    const schema = { properties: Object.defineProperty({}, "a", { enumerable: true, get: throwing }) }
    assert.match(rejection(schema), /^#\/properties(?:\/a)?: must be plain JSON$/)
  })

  it("J6: cannot be cyclic", () => {
    const self: Record<string, unknown> = { type: "object" }
    self.properties = { again: self }
    const list: Array<unknown> = []
    list.push(list)
    for (const schema of [self, { enum: list }, { allOf: [{ not: self }] }]) {
      assert.match(rejection(schema), /: (?:must not be cyclic|exceeds maximum schema depth 64)$/)
      assert.deepInclude(validate(schema), { ok: false, code: "schema_rejected" })
    }
    const loop: Record<string, unknown> = {}
    loop.not = loop
    assert.match(rejection(loop), /: must not be cyclic$/)
  })

  it("J6: cannot have a key that reaches a prototype, at any depth", () => {
    for (const key of ["__proto__", "prototype", "constructor"]) {
      const hostile: unknown = JSON.parse(`{"properties":{"a":{"${key}":{"type":"string"}}}}`)
      assert.strictEqual(rejection(hostile), `#/properties/a: forbidden key: ${key}`)
      assert.strictEqual(rejection(JSON.parse(`{"${key}":1}`)), `#: forbidden key: ${key}`)
      assert.strictEqual(rejection(JSON.parse(`{"enum":[{"${key}":1}]}`)), `#/enum/0: forbidden key: ${key}`)
      assert.strictEqual(rejection({ required: [key], title: key }), "accepted")
    }
  })

  it("J12: must be an object or a boolean", () => {
    for (const schema of [null, 1, "string", [], [{}]]) {
      assert.strictEqual(rejection(schema), "#: must be a schema: an object or a boolean")
    }
    assert.strictEqual(rejection(Object.assign(Object.create(null), { type: "integer" })), "accepted")
  })
})

describe("the result of a refused schema", () => {
  it("J6, J12, J13: has the code, the pointer in its message, and the pointer as path", () => {
    assert.deepStrictEqual(validate({ properties: { "a/b": { minimum: "1" } } }), {
      ok: false,
      code: "schema_rejected",
      errors: [
        {
          path: "/properties/a~1b/minimum",
          message: "schema rejected at #/properties/a~1b/minimum: must be a number"
        }
      ]
    })
    assert.deepStrictEqual(validate({ default: undefined }).errors, [
      { path: "/default", message: "schema rejected at #/default: must be plain JSON, not undefined" }
    ])
    assert.deepStrictEqual(validate(undefined), {
      ok: false,
      code: "schema_rejected",
      errors: [{ message: "schema rejected at #: must be plain JSON, not undefined" }]
    })
  })

  it("is a SchemaRejectedError for who compiles", () => {
    const compiled = makeValidator(resolveLimits({})).compile({ type: "int" })
    assert.isTrue(Result.isFailure(compiled))
    if (!Result.isFailure(compiled)) return
    assert.instanceOf(compiled.failure, SchemaRejectedError)
    assert.deepInclude(compiled.failure, {
      _tag: "SchemaRejectedError",
      code: "ERR_PRISM_SCHEMA_REJECTED",
      pointer: "/type",
      message: 'schema rejected at #/type: must name a type of JSON Schema, got "int"'
    })
  })

  it("J9: a remote reference says so", () => {
    for (const reference of ["other.json", "https://example.org/x", "urn:x"]) {
      const result = validate({ $ref: reference })
      assert.deepInclude(result, { ok: false, code: "schema_rejected" })
      assert.include(result.errors?.[0]?.message, "remote $ref is not allowed")
    }
    for (const $ref of ["#/$defs/x"]) assert.deepStrictEqual(validate({ $ref, $defs: { x: {} } }), { ok: true })
  })
})

describe("the limits of a schema", () => {
  const at = (options: JsonSchemaValidatorOptions, allowed: unknown, above: unknown, reason: string) => {
    assert.strictEqual(rejection(allowed, options), "accepted")
    assert.strictEqual(rejection(above, options), reason)
    assert.deepInclude(validate(above, options), { ok: false, code: "schema_rejected" })
  }

  it("J7: depth counts from 0 at the root, one for each item or member, leaves included", () => {
    at(
      { maxSchemaDepth: 1 },
      { type: "integer" },
      { not: {}, default: [1] },
      "#/default/0: exceeds maximum schema depth 1"
    )
    at({ maxSchemaDepth: 2 }, { enum: [1] }, { enum: [[1]] }, "#/enum/0/0: exceeds maximum schema depth 2")
    at({}, deep(64), deep(65), `#/default${"/x".repeat(64)}: exceeds maximum schema depth 64`)
    at(
      {},
      deep(64, 1, (inner) => [inner]),
      deep(65, 1, (inner) => [inner]),
      `#/default${"/0".repeat(64)}: exceeds maximum schema depth 64`
    )
    at({ maxSchemaDepth: 128 }, deep(128), deep(129), `#/default${"/x".repeat(128)}: exceeds maximum schema depth 128`)
    assert.strictEqual(rejection(deep(64, {})), "accepted")
  })

  it("J3: depth that would overflow the stack is refused before", () => {
    assert.match(rejection(deep(100_000)), /exceeds maximum schema depth 64$/)
    assert.match(rejection(deep(100_000), { maxSchemaDepth: 128 }), /exceeds maximum schema depth 128$/)
  })

  it("J7: bytes are those of the JSON text in UTF-8", () => {
    const sized = (letters: string) => ({ title: letters })
    // {"title":""} is 12 bytes.
    at({ maxSchemaBytes: 20 }, sized("12345678"), sized("123456789"), "#: exceeds maximum schema size of 20 bytes")
    at({ maxSchemaBytes: 20 }, sized("éé€a"), sized("éé€ab"), "#: exceeds maximum schema size of 20 bytes")
    at({ maxSchemaBytes: 20 }, sized("😀😀"), sized("😀😀a"), "#: exceeds maximum schema size of 20 bytes")
    at({ maxSchemaBytes: 20 }, sized('""""'), sized('""""a'), "#: exceeds maximum schema size of 20 bytes")
    at({}, sized("x".repeat(262_132)), sized("x".repeat(262_133)), "#: exceeds maximum schema size of 262144 bytes")
  })

  it("J7: properties and keywords count every own key anywhere once", () => {
    // 5 keys: properties, a, type, default, x
    const five = { properties: { a: { type: "integer" } }, default: [{ x: 1 }] }
    at({ maxSchemaProperties: 5 }, five, { ...five, y: 1 }, "#: exceeds maximum schema properties 5")
    at({ maxSchemaKeywords: 5 }, five, { ...five, y: 1 }, "#: exceeds maximum schema keywords 5")
    const many = (count: number) => ({
      default: Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [`k${index}`, 1]))
    })
    at({}, many(10_000), many(10_001), "#/default: exceeds maximum schema properties 10000")
    at({ maxSchemaKeywords: 100_000 }, many(10_000), many(10_001), "#/default: exceeds maximum schema properties 10000")
    at({ maxSchemaProperties: 100_000 }, many(10_000), many(10_001), "#/default: exceeds maximum schema keywords 10000")
  })

  it("J8: what is shared is allowed, and counts each time that it is reached", () => {
    const shared = { type: "integer" }
    // properties, a, type, b, type
    const schema = { properties: { a: shared, b: shared } }
    at(
      { maxSchemaProperties: 5 },
      schema,
      { properties: { ...schema.properties, c: shared } },
      "#/properties: exceeds maximum schema properties 5"
    )
  })

  it("J8: arrays that share arrays are not walked beyond the size that the schema may have", () => {
    let reads = 0
    const leaf = Object.defineProperty([0], 0, { enumerable: true, get: () => (reads++, 1) })
    let doubled: ReadonlyArray<unknown> = leaf
    for (let level = 0; level < 14; level++) doubled = [doubled, doubled]
    assert.strictEqual(
      rejection({ enum: doubled }, { maxSchemaBytes: 100 }).split(": ")[1],
      "exceeds maximum schema size of 100 bytes"
    )
    assert.isBelow(reads, 200)
  })

  it("references are counted where they are read", () => {
    const refs = (count: number) => ({
      $defs: { a: {} },
      prefixItems: Array.from({ length: count }, () => ({ $ref: "#/$defs/a" }))
    })
    at({}, refs(128), refs(129), "#/prefixItems/128/$ref: exceeds maximum schema references 128")
    at({ maxSchemaRefs: 1 }, refs(1), refs(2), "#/prefixItems/1/$ref: exceeds maximum schema references 1")
    at(
      { maxSchemaRefs: 1024 },
      refs(1024),
      refs(1025),
      "#/prefixItems/1024/$ref: exceeds maximum schema references 1024"
    )
    const dynamic = { $dynamicAnchor: "a", items: { $dynamicRef: "#a" }, contains: { $ref: "#a" } }
    assert.match(rejection(dynamic, { maxSchemaRefs: 1 }), /exceeds maximum schema references 1$/)
  })
})

describe("a schema that is changed while it is looked at, or later", () => {
  it("J5: each member is read once", () => {
    const reads: Array<string> = []
    const schema = new Proxy<Record<string, unknown>>(
      { type: "integer", minimum: 2 },
      {
        get: (target, key) => (reads.push(String(key)), Reflect.get(target, key))
      }
    )
    assert.isFalse(validate(schema).ok)
    assert.deepStrictEqual(reads, ["type", "minimum"])
  })

  it("J5: the object is looked at once, and its later changes have no effect", () => {
    let looks = 0
    const schema = new Proxy<Record<string, unknown>>(
      { type: "integer" },
      {
        ownKeys: (target) => (looks++, Reflect.ownKeys(target))
      }
    )
    const { validate: judge } = createJsonSchemaArgumentValidator()
    assert.isTrue(judge(untyped(schema), 1).ok)
    schema.type = "string"
    delete schema.type
    assert.isTrue(judge(untyped(schema), 1).ok)
    assert.isFalse(judge(untyped(schema), "a").ok)
    assert.strictEqual(looks, 1)
  })

  it("J5, J17: the schema is not changed", () => {
    const schema = { type: "object", properties: { a: { type: "integer", default: 1 } }, $defs: {} }
    const before = JSON.stringify(schema)
    validate(schema)
    assert.strictEqual(JSON.stringify(schema), before)
    const frozen = Object.freeze({ type: "integer" })
    assert.isTrue(validate(frozen).ok)
  })

  it("J4: the schema is looked at before the value", () => {
    const { validate: judge } = createJsonSchemaArgumentValidator({ maxStringLength: 1 })
    assert.strictEqual(judge({ type: "int" }, "too long").code, "schema_rejected")
    const untouched = new Proxy({}, { ownKeys: throwing, getPrototypeOf: throwing })
    assert.strictEqual(judge({ type: "int" }, untouched).code, "schema_rejected")
  })

  it("J8: a long text that is shared by many is counted each time", () => {
    const text = "x".repeat(1_000)
    assert.strictEqual(
      rejection({ enum: Array.from({ length: 100_000 }, () => text) }).split(": ")[1],
      "exceeds maximum schema size of 262144 bytes"
    )
  })
})
