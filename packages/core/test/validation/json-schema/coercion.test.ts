import { assert, describe, it } from "@effect/vitest"
import { createMiddlewareRegistry } from "../../../src/middleware/Middleware.ts"
import type { JsonObject } from "../../../src/schema/Json.ts"
import {
  type ArgumentCoercion,
  createJsonSchemaArgumentCoercion,
  createJsonSchemaToolArgumentValidator
} from "../../../src/validation/json-schema/index.ts"
import { callOf, dispatched, throwing, tool } from "../../dispatch/dispatching.ts"
import { compile } from "./verdicts.ts"

/** The repaired value and what was changed; `undefined` where nothing helps or nothing is wrong. */
const coerced = (schema: unknown, value: unknown) => compile(schema).coerce(value)

const to = (schema: unknown, value: unknown, expected: unknown, ...paths: ReadonlyArray<string>): void => {
  const before = JSON.stringify(value)
  const done = coerced(schema, value)
  assert.deepStrictEqual(done?.value, expected)
  assert.deepStrictEqual(
    done?.changes.map(({ path }) => path),
    paths
  )
  assert.strictEqual(JSON.stringify(value), before)
}

const untouched = (schema: unknown, ...values: ReadonlyArray<unknown>): void => {
  for (const [index, value] of values.entries()) assert.isUndefined(coerced(schema, value), `value ${index}`)
}

const members = (properties: object, more: object = {}) => ({ type: "object", properties, ...more })

describe("coerce", () => {
  it("reads a text as JSON where the schema takes no string", () => {
    to({ type: "integer" }, "3", 3, "")
    to({ type: "integer" }, "-12", -12, "")
    to({ type: "number" }, "1.5e3", 1500, "")
    to({ type: "boolean" }, "true", true, "")
    to({ type: "null" }, "null", null, "")
    to({ type: ["integer", "null"] }, "null", null, "")
    to({ type: "array", items: { type: "integer" } }, "[1,2]", [1, 2], "")
    to({ type: "object", required: ["a"] }, '{"a":1}', { a: 1 }, "")
  })

  it("tells each change: where, from what, to what", () => {
    const schema = members({ count: { type: "integer" }, tags: { type: "array" }, name: { type: "string" } })
    const value = { count: "3", tags: '["a"]', name: "7" }
    assert.deepStrictEqual(coerced(schema, value), {
      value: { count: 3, tags: ["a"], name: "7" },
      changes: [
        { path: "/count", from: "3", to: 3 },
        { path: "/tags", from: '["a"]', to: ["a"] }
      ]
    })
    assert.deepStrictEqual(value, { count: "3", tags: '["a"]', name: "7" })
    assert.deepStrictEqual(coerced(members({ "a/b": { type: "integer" } }), { "a/b": "1" })?.changes, [
      { path: "/a~1b", from: "1", to: 1 }
    ])
  })

  it("changes nothing of a value that is right, or where the schema takes a string", () => {
    untouched({ type: "integer" }, 3)
    untouched({ type: ["integer", "string"] }, "3")
    untouched({}, "3")
    untouched({ type: "string", minLength: 5 }, "3")
    untouched({ minimum: 5 }, "3")
    untouched({ oneOf: [{ type: "string", pattern: "^[a-z]+$" }, { type: "integer" }] }, "42")
    untouched({ anyOf: [{ type: "string", format: "email" }, { type: "object" }] }, '{"x":1}')
  })

  it("reads a text where no constant is one", () => {
    to({ enum: [1, 2] }, "1", 1, "")
    to({ const: 2 }, "2", 2, "")
    untouched({ enum: [1, "1"] }, "2")
  })

  it("changes nothing where the whole would still be refused", () => {
    untouched({ type: "integer", minimum: 5 }, "3", "x", "", "3.5", '"3"')
    untouched(members({ a: { type: "integer" }, b: { type: "integer" } }), { a: "1", b: "x" })
    untouched(members({ a: { type: "integer" } }, { required: ["b"] }), { a: "1" })
    untouched({ type: "integer" }, " ", "0x10", "1_000", "Infinity", "NaN", "yes", "٣", "1,5")
    untouched({ type: "boolean" }, "yes", "1", "TRUE", "")
    untouched({ type: "object" }, "[1]", "{", '{"a":1', "null")
  })

  it("loses no digits", () => {
    to({ type: "integer" }, "9007199254740991", 9_007_199_254_740_991, "")
    untouched({ type: "integer" }, "9007199254740993", "1e400", "123456789012345678901234567890")
    untouched({ type: "number" }, "9007199254740993", "1e-400", "0.12345678901234567890")
    untouched({ type: "array" }, "[9007199254740993]", "[1.00000000000000000001]")
    untouched({ type: "object" }, '{"id":12345678901234567890}', '{"b":1,"b":2}')
    to(
      { type: "object" },
      '{"a:1":"12345678901234567890","b":[1.5,-0,1e3]}',
      { "a:1": "12345678901234567890", b: [1.5, -0, 1000] },
      ""
    )
  })

  it("only reads texts: no number becomes a text, and nothing a list", () => {
    untouched({ type: "string" }, 3, true, null)
    untouched({ type: "array" }, 3, {}, "a")
    untouched({ type: "boolean" }, 1, 0)
    untouched({ type: "integer" }, 3.5, true, ["3"])
  })

  it("goes through members, items, references and combinators", () => {
    const integer = { type: "integer" }
    to(members({ p: members({ n: integer }) }), { p: { n: "1" } }, { p: { n: 1 } }, "/p/n")
    to({ type: "array", items: integer }, [1, "2", "3"], [1, 2, 3], "/1", "/2")
    to(
      { prefixItems: [integer, { type: "string" }], items: { type: "boolean" } },
      ["1", "2", "true"],
      [1, "2", true],
      "/0",
      "/2"
    )
    to({ items: [integer], additionalItems: true }, ["1", "2"], [1, "2"], "/0")
    to({ type: "object", additionalProperties: integer }, { a: "1" }, { a: 1 }, "/a")
    to({ $ref: "#/$defs/n", $defs: { n: integer } }, "1", 1, "")
    to({ allOf: [{}, integer] }, "1", 1, "")
    to({ anyOf: [integer, { type: "null" }] }, "null", null, "")
    to({ oneOf: [integer, { type: "boolean" }] }, "true", true, "")
    to(
      members({ l: { type: "array", items: members({ n: integer }) } }),
      { l: '[{"n":"5"}]' },
      { l: [{ n: 5 }] },
      "/l",
      "/l/0/n"
    )
  })

  it("takes a member by the keyword that judges it", () => {
    const schema = {
      type: "object",
      patternProperties: { "^s": { type: "string" } },
      additionalProperties: { type: "integer" }
    }
    to(schema, { s1: "1", n: "2" }, { s1: "1", n: 2 }, "/n")
    to({ ...schema, properties: { b: { type: "boolean" } } }, { s1: "1", b: "true" }, { s1: "1", b: true }, "/b")
  })

  it("leaves a value alone where one of several schemas takes it as it is", () => {
    untouched({ anyOf: [{ type: "integer" }, { type: "string" }] }, "1")
    const schema = members({ a: { anyOf: [{ type: "integer" }, { type: "string" }] }, b: { type: "integer" } })
    to(schema, { a: "1", b: "2" }, { a: "1", b: 2 }, "/b")
  })

  it("J10: makes nothing that breaks the bounds", () => {
    untouched({ type: "object" }, '{"__proto__":{}}', '{"a":{"constructor":1}}')
    untouched(members({ o: { type: "object" } }), { o: '{"__proto__":{"x":1}}' })
    const deep = `${"[".repeat(70)}${"]".repeat(70)}`
    untouched({ type: "array" }, deep)
    assert.isUndefined(compile({ type: "array" }, { maxArrayLength: 2 }).coerce("[1,2,3]"))
    const value: unknown = JSON.parse('{"a":"1","__proto__":{"x":1}}')
    untouched(members({ a: { type: "integer" } }), value)
  })

  it("never throws", () => {
    const hostile = Object.defineProperty({ n: "1" }, "a", { enumerable: true, get: throwing(new Error("a trap")) })
    untouched(members({ n: { type: "integer" } }), hostile, undefined, Symbol("x"), () => 1)
  })

  it("J10: leaves no memory behind of what it has seen: the same arguments are judged anew", () => {
    const compiled = compile({
      type: "object",
      properties: { l: { type: "array", items: { type: ["object", "integer"] } } }
    })
    const value: { l: Array<unknown> } = { l: [{ a: 1 }, "x"] }
    assert.isUndefined(compiled.coerce(value))
    value.l = Object.assign(value.l, [JSON.parse('{"__proto__":{"a":1}}'), 2])
    assert.deepStrictEqual(
      compiled.problems(value)?.map(({ message }) => message),
      ["l[0].__proto__: forbidden property key"]
    )
  })
})

describe("createJsonSchemaArgumentCoercion", () => {
  const parameters: JsonObject = members({ count: { type: "integer" } }, { required: ["count"] }) as JsonObject

  const trial = async (args: JsonObject, name = "work") => {
    const ran: Array<unknown> = []
    const told: Array<ArgumentCoercion> = []
    const tools = [tool("work", (given) => ran.push(given), { parameters }), tool("other", (given) => ran.push(given))]
    const middleware = createMiddlewareRegistry()
    middleware.use(
      "tool_call",
      createJsonSchemaArgumentCoercion({ tools, onCoerced: (coercion) => told.push(coercion) })
    )
    const call = callOf(name, args)
    const outcome = await dispatched(call, { tools, middleware, validate: createJsonSchemaToolArgumentValidator() })
    return { ...outcome, call, ran, told }
  }

  it("repairs a call for every stage behind it, and tells of it", async () => {
    const { call, events, ran, rows, told } = await trial({ count: "3" })
    assert.deepStrictEqual(ran, [{ count: 3 }])
    assert.deepStrictEqual(told, [
      { toolCallId: "call-work", toolName: "work", changes: [{ path: "/count", from: "3", to: 3 }] }
    ])
    assert.deepStrictEqual(call.arguments, { count: "3" })
    assert.notInclude(JSON.stringify([events, rows]), '"3"')
  })

  it("lets a call be that is right, cannot be repaired, or is of another tool", async () => {
    const right = await trial({ count: 3 })
    assert.deepStrictEqual(right.ran, [{ count: 3 }])
    assert.deepStrictEqual(right.told, [])
    const wrong = await trial({ count: "three" })
    assert.deepStrictEqual(wrong.ran, [])
    assert.deepStrictEqual(wrong.told, [])
    assert.deepInclude(wrong.events[0], { type: "tool_execution_blocked", reason: "validation_failed" })
    const other = await trial({ count: "3" }, "other")
    assert.deepStrictEqual(other.ran, [{ count: "3" }])
    assert.deepStrictEqual(other.told, [])
  })

  it("lets a call be whose tool has a schema that is refused", async () => {
    const tools = [tool("work", () => "done", { parameters: { type: "int" } })]
    const repair = createJsonSchemaArgumentCoercion({ tools, onCoerced: throwing(new Error("told")) })
    assert.isUndefined(await repair(callOf("work", { a: "1" }), (call) => Promise.resolve(call)))
  })
})
