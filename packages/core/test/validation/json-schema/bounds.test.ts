import { assert, describe, it } from "@effect/vitest"
import { accepts, acceptsWithin, compile, explains, generated } from "./verdicts.ts"
import type { JsonSchemaValidatorOptions } from "../../../src/validation/json-schema/JsonSchemaValidator.ts"

/** Schemas that take any value, each through another part of the two tiers. */
const open: ReadonlyArray<unknown> = [
  true,
  {},
  { type: ["object", "array", "string", "number", "boolean", "null"] },
  { properties: { a: {} } },
  { properties: { a: { properties: { a: {} } } }, additionalProperties: {} },
  { additionalProperties: true, items: {} },
  { patternProperties: { "^a": true } },
  { items: true },
  { items: { properties: { a: true }, items: {} } },
  { prefixItems: [true], items: {} },
  { allOf: [{}, { properties: { a: true } }] },
  { allOf: [{ properties: { a: true } }, {}] },
  { anyOf: [{ type: "null", items: {} }, { properties: { a: {} } }] },
  { anyOf: [false, { items: {} }] },
  { oneOf: [{ not: {} }, { properties: { a: {} }, items: true }] },
  { $ref: "#/$defs/any", $defs: { any: { properties: { a: { $ref: "#/$defs/any" } } } } },
  { if: { properties: { a: {} } }, then: { items: {} }, else: {} },
  { not: { type: "object", required: ["none"] } },
  { unevaluatedProperties: true, unevaluatedItems: true },
  { properties: { a: { unevaluatedProperties: {} } } },
  { dependentSchemas: { a: { properties: { a: {} } } } },
  { propertyNames: { minLength: 0 } },
  { contains: {}, minContains: 0 },
  { minLength: 0, maxLength: 1e9, maxItems: 1e9, maxProperties: 1e9, minimum: -1e308 },
  { not: { type: "object", properties: { a: { items: { type: "object" } } }, required: ["a", "none"] } },
  { anyOf: [{ properties: { a: { items: { type: "object" } } }, required: ["none"] }, {}] },
  { not: { items: { type: "object" } }, $comment: "an item that is no object comes last" }
]

const refused = (value: unknown, message: string, options: JsonSchemaValidatorOptions = {}): void => {
  for (const schema of open) explains(schema, value, [message], options)
}

/** `depth` containers around a leaf: the leaf is on that level. */
const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
  let inner: unknown = 1
  for (let level = 0; level < depth; level++) inner = wrap(inner)
  return inner
}
const inObject = (inner: unknown) => ({ a: inner })
const inArray = (inner: unknown) => [inner]
const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, null]))
const any = open.slice(0, -1)

describe("bounds of a value", () => {
  it("J10, J11: depth counts from 0 at the root, leaves included", () => {
    for (const schema of any)
      acceptsWithin({ maxDepth: 3 }, schema, nested(3, inObject), nested(3, inArray), { a: [{}] })
    for (const schema of any) {
      explains(schema, nested(4, inObject), ["a.a.a.a: exceeds maximum depth 3"], { maxDepth: 3 })
      explains(schema, nested(4, inArray), ["[0][0][0][0]: exceeds maximum depth 3"], { maxDepth: 3 })
      explains(schema, { a: [{ a: 1 }] }, ["a[0].a: exceeds maximum depth 2"], { maxDepth: 2 })
    }
    for (const schema of any.slice(0, 8)) {
      accepts(schema, nested(64, inObject), nested(64, inArray))
      explains(schema, nested(65, inObject), [
        `${Array.from({ length: 65 }, () => "a").join(".")}: exceeds maximum depth 64`
      ])
      explains(schema, nested(65, inArray), [`${"[0]".repeat(65)}: exceeds maximum depth 64`])
      acceptsWithin({ maxDepth: 128 }, schema, nested(128, inObject))
    }
  })

  it("J10, J11: depth counts leaves that their schema describes", () => {
    const grid = { type: "array", items: { type: "array", items: { type: "integer" } } }
    const tree = { type: "object", properties: { a: { type: "object", properties: { a: { type: "string" } } } } }
    acceptsWithin({ maxDepth: 2 }, grid, [[1]], [[], []])
    acceptsWithin({ maxDepth: 1 }, grid, [[]], [])
    explains(grid, [[], [1]], ["[1][0]: exceeds maximum depth 1"], { maxDepth: 1 })
    acceptsWithin({ maxDepth: 2 }, tree, { a: { a: "x" } })
    acceptsWithin({ maxDepth: 1 }, tree, { a: {} }, {})
    explains(tree, { a: { a: "x" } }, ["a.a: exceeds maximum depth 1"], { maxDepth: 1 })
    const map = { type: "object", additionalProperties: { type: "array", items: { enum: [1, 2] } } }
    acceptsWithin({ maxDepth: 2 }, map, { k: [1] })
    explains(map, { k: [1] }, ["k[0]: exceeds maximum depth 1"], { maxDepth: 1 })
  })

  it("J10, J11: a value that would overflow the stack is refused before", () => {
    const message = `${Array.from({ length: 65 }, () => "a").join(".")}: exceeds maximum depth 64`
    refused(nested(100_000, inObject), message)
  })

  it("J10, J11: texts count UTF-16 units", () => {
    const options = { maxStringLength: 4 }
    for (const schema of any) acceptsWithin(options, schema, "abcd", "😀😀", ["abcd"], { a: "abcd", toolong: "" })
    refused("abcde", "/: string exceeds maximum length 4", options)
    refused("😀😀a", "/: string exceeds maximum length 4", options)
    for (const schema of any) {
      explains(schema, { a: ["", { b: "abcde" }] }, ["a[1].b: string exceeds maximum length 4"], options)
    }
    accepts({}, "x".repeat(1_000_000))
    explains({}, "x".repeat(1_000_001), ["/: string exceeds maximum length 1000000"])
    explains({ type: "string" }, "x".repeat(1_000_001), ["/: string exceeds maximum length 1000000"])
    explains({ enum: ["abcde"] }, "abcde", ["/: string exceeds maximum length 4"], options)
    explains({ const: "abcde" }, "abcde", ["/: string exceeds maximum length 4"], options)
    explains({ type: "string", maxLength: 3 }, "abcde", ["/: string exceeds maximum length 4"], options)
    explains({ type: "string", maxLength: 3 }, "😀😀😀", ["/: string exceeds maximum length 4"], options)
    acceptsWithin(options, { type: "string", maxLength: 3 }, "😀😀", "abc")
    explains({ type: "string", maxLength: 2 }, "abcde", ["/: string exceeds maximum length 4"], options)
    explains({ type: "string", maxLength: 9 }, "abcde", ["/: string exceeds maximum length 4"], options)
  })

  it("J10, J11: arrays count items", () => {
    const options = { maxArrayLength: 2 }
    for (const schema of any) {
      acceptsWithin(options, schema, [1, 2], { a: [[], []] })
      explains(schema, [1, 2, 3], ["/: array exceeds maximum length 2"], options)
      explains(schema, { a: [1, [1, 2, 3]] }, ["a[1]: array exceeds maximum length 2"], options)
    }
    const longest = Array.from({ length: 10_000 }, () => 0)
    accepts({ items: { type: "integer" } }, longest)
    explains({ items: { type: "integer" } }, [...longest, 0], ["/: array exceeds maximum length 10000"])
    explains(
      { type: "array", items: { type: "integer" }, maxItems: 9 },
      [1, 2, 3],
      ["/: array exceeds maximum length 2"],
      options
    )
    explains(
      { type: "array", items: { type: "integer" }, maxItems: 1 },
      [1, 2, 3],
      ["/: array exceeds maximum length 2"],
      options
    )
    acceptsWithin(
      { maxArrayLength: 100_000 },
      {},
      Array.from({ length: 100_000 }, () => null)
    )
  })

  it("J10, J11: each object counts its own properties", () => {
    const options = { maxProperties: 2 }
    for (const schema of any) {
      acceptsWithin(options, schema, { a: 1, b: { c: 1, d: 1 } })
      explains(schema, { a: 1, b: 1, c: 1 }, ["/: object exceeds maximum properties 2"], options)
      explains(schema, { a: [{ x: 1, y: 1, z: 1 }] }, ["a[0]: object exceeds maximum properties 2"], options)
    }
    accepts({}, wide(1000))
    explains({}, wide(1001), ["/: object exceeds maximum properties 1000"])
    const closed = { type: "object", properties: { a: {}, b: {}, c: {} }, additionalProperties: false }
    explains(closed, { a: 1, b: 1, c: 1 }, ["/: object exceeds maximum properties 2"], options)
  })

  it("J10, J11: a key that reaches a prototype is refused at any depth", () => {
    for (const key of ["__proto__", "prototype", "constructor"]) {
      refused(JSON.parse(`{"${key}":{}}`), `${key}: forbidden property key`)
      for (const schema of any) {
        explains(schema, JSON.parse(`{"a":[{"b":{"${key}":1}}]}`), [`a[0].b.${key}: forbidden property key`])
        explains(schema, JSON.parse(`{"a":[{"${key}":1},1]}`), [`a[0].${key}: forbidden property key`])
      }
    }
    const declared = { type: "object", properties: { a: {} }, patternProperties: { ".": true } }
    explains(declared, JSON.parse('{"__proto__":{"x":1}}'), ["__proto__: forbidden property key"])
    explains({ type: "object", additionalProperties: { type: "object" } }, JSON.parse('{"__proto__":{}}'), [
      "__proto__: forbidden property key"
    ])
    const list = open.at(-1)
    accepts(list, [{}, 1])
    explains(list, JSON.parse('[{"__proto__":1},1]'), ["[0].__proto__: forbidden property key"])
  })

  it("J10, J11: what JSON does not have is refused", () => {
    const hole: Array<number> = []
    hole.length = 2
    const none: ReadonlyArray<unknown> = [
      undefined,
      Number.NaN,
      Infinity,
      -Infinity,
      1n,
      Symbol("x"),
      () => 1,
      new Date(0),
      new Map(),
      new (class Point {
        x = 1
      })(),
      /x/
    ]
    for (const value of none) {
      for (const schema of any) {
        explains(schema, value, ["/: value must be JSON-serializable"])
        explains(schema, { a: value }, ["a: value must be JSON-serializable"])
        explains(schema, [1, { b: value }], ["[1].b: value must be JSON-serializable"])
      }
    }
    for (const type of ["object", "array", "string", "integer", "number", "boolean", "null"]) {
      explains({ type }, undefined, ["/: value must be JSON-serializable"])
      explains({ type }, Number.NaN, ["/: value must be JSON-serializable"])
    }
    explains({ type: "object", properties: { a: { type: "integer" } } }, { a: undefined }, [
      "a: value must be JSON-serializable"
    ])
    explains(
      { type: "object", properties: { a: {} }, required: ["a"], additionalProperties: false },
      { a: undefined },
      ["a: value must be JSON-serializable"]
    )
    explains({ type: "array", items: {} }, [1, undefined], ["[1]: value must be JSON-serializable"])
    explains({ type: "array" }, hole, ["[0]: value must be JSON-serializable"])
  })

  it("J3, J10: a value that is cyclic, or throws when it is read, is refused", () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.a = cyclic
    refused(cyclic, `${Array.from({ length: 65 }, () => "a").join(".")}: exceeds maximum depth 64`)
    const throwing = () => {
      throw new Error("a trap")
    }
    const hostile: ReadonlyArray<object> = [
      Object.defineProperty({}, "a", { enumerable: true, get: throwing }),
      new Proxy({}, { ownKeys: throwing }),
      new Proxy({}, { getPrototypeOf: throwing }),
      new Proxy([], { get: throwing })
    ]
    for (const value of hostile) {
      for (const schema of open.slice(0, 6)) {
        for (const compiled of [compile(schema), generated(schema)]) {
          const [problem, ...others] = compiled.problems(value) ?? []
          assert.match(problem?.message ?? "accepted", /value must be JSON-serializable$/)
          assert.deepStrictEqual(others, [])
        }
      }
    }
  })

  it("J11: the message of a value that throws starts with a path as well", () => {
    const throwing = () => {
      throw new Error("a trap")
    }
    const value = { list: [Object.defineProperty({}, "a", { enumerable: true, get: throwing })] }
    const [problem] = compile({}).problems(value) ?? []
    assert.match(problem?.message ?? "accepted", /^\S+: value must be JSON-serializable$/)
  })

  it("J10: an object without a prototype is plain, and hidden members are none", () => {
    const bare = Object.assign(Object.create(null), { a: { b: 1 } })
    for (const schema of any.slice(0, 15)) accepts(schema, bare)
    const hidden = Object.defineProperty({ a: 1 }, "constructor", { value: 1, enumerable: false })
    accepts({ type: "object" }, hidden)
    accepts({ type: "object", additionalProperties: false, properties: { a: {} } }, { a: 1, [Symbol("x")]: 1 })
  })

  it("J4, J11: a value that breaks a bound and the schema tells of the bound alone", () => {
    explains(
      { type: "object", required: ["a"], properties: { b: { type: "null" } } },
      { b: "abcde" },
      ["b: string exceeds maximum length 4"],
      { maxStringLength: 4 }
    )
  })
})

describe("the steps of one validation", () => {
  const rows = (count: number) => Array.from({ length: count }, () => Array.from({ length: 10_000 }, () => 1))
  const schema = { type: "array", items: { type: "array", items: { type: "integer" } } }

  it("J20: a value within the limits is judged the same, however often the schema was used", () => {
    const value = rows(120)
    const verdicts = [compile(schema), generated(schema)].map((compiled) => compiled.problems(value)?.[0]?.message)
    assert.strictEqual(verdicts[0], verdicts[1])
  })

  it("J20: are taken off for names that are looked for", () => {
    const many = Array.from({ length: 600 }, (_, index) => `k${index}`)
    const costly: ReadonlyArray<readonly [unknown, unknown]> = [
      [
        {
          items: {
            dependentRequired: Object.fromEntries(
              many.flatMap((a) => [`${a}x`, `${a}y`, `${a}z`].map((name) => [name, []]))
            )
          }
        },
        Array.from({ length: 10_000 }, () => ({}))
      ],
      [
        { items: { anyOf: [...Array.from({ length: 60 }, () => ({ required: [...many, "none"] })), true] } },
        Array.from({ length: 1000 }, () => Object.fromEntries(many.map((name) => [name, 1])))
      ]
    ]
    for (const [costlySchema, value] of costly) {
      const second = compile(costlySchema)
      second.generate() // where the code is not too long
      for (const compiled of [compile(costlySchema), second]) {
        assert.strictEqual(compiled.problems(value)?.[0]?.message, "validation takes more than 750000 steps")
      }
    }
  })

  it("J20: are taken off for divisions, or these cost little", () => {
    const value = Array.from({ length: 10 }, () => Array.from({ length: 10_000 }, () => 1e308))
    const timed = (item: object): { readonly took: number; readonly message: string | undefined } => {
      const compiled = compile({ items: { items: item } })
      const start = performance.now()
      const message = compiled.problems(value)?.[0]?.message
      return { took: performance.now() - start, message }
    }
    const { message, took } = timed({ multipleOf: 5e-324 })
    if (message !== undefined) return assert.strictEqual(message, "validation takes more than 750000 steps")
    assert.isBelow(took, 30 * timed({ type: "number" }).took)
  })

  it("run out on a value that would take seconds, which is then refused", () => {
    const slow = { items: { uniqueItems: true, not: { contains: { required: ["none"], type: "object" } } } }
    const row = Array.from({ length: 10_000 }, (_, index) => index)
    const value = Array.from({ length: 1000 }, () => row)
    for (const compiled of [compile(slow), generated(slow)]) {
      assert.deepStrictEqual(
        compiled.problems(value)?.map(({ message }) => message),
        ["validation takes more than 750000 steps"]
      )
    }
  })
})
