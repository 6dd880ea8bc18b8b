import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SchemaRejectedError } from "../../src/errors/SchemaRejectedError.ts"
import type { JsonObject } from "../../src/schema/Json.ts"
import { define } from "../../src/tool/Tool.ts"
import { createJsonSchemaToolArgumentValidator } from "../../src/validation/json-schema/index.ts"
import { callOf, dispatched, untyped } from "../dispatch/dispatching.ts"

const ran: Array<unknown> = []

const search = define({
  name: "search",
  description: "Finds",
  parameters: Schema.Struct({
    query: Schema.String,
    limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
    since: Schema.optionalKey(Schema.DateFromString)
  }),
  execute: (args) => {
    ran.push(args)
    return { found: args.query, limit: args.limit }
  }
})

const calling = (tool: typeof search, args: JsonObject) => {
  ran.length = 0
  return dispatched(callOf(tool.name, args), { tools: [tool] })
}

describe("define", () => {
  it("makes the JSON Schema of the arguments from their Schema", async () => {
    assert.strictEqual(search.name, "search")
    assert.strictEqual(search.description, "Finds")
    const { parameters } = search
    assert.deepInclude(parameters, { type: "object", additionalProperties: false })
    assert.deepStrictEqual(parameters?.required, ["query", "limit"])
    const judge = createJsonSchemaToolArgumentValidator({ missingSchema: "reject" })
    const context = { sessionId: "s", runId: "r", toolCallId: "c" }
    assert.isUndefined(judge(search, { query: "a", limit: 9, since: "2024-01-02T00:00:00Z" }, context))
    for (const wrong of [
      {},
      { query: "a", limit: 10 },
      { query: 1, limit: 1 },
      { query: "a", limit: 1, more: 1 },
      { query: "a", limit: 1.5 }
    ]) {
      assert.isDefined(judge(search, untyped(wrong), context))
    }
  })

  it("a schema that refers to itself stays one document", () => {
    interface Node {
      readonly name: string
      readonly children: ReadonlyArray<Node>
    }
    const Node = Schema.Struct({
      name: Schema.String,
      children: Schema.Array(Schema.suspend((): Schema.Codec<Node> => Node))
    }).annotate({ identifier: "Node" })
    const tree = define({ name: "tree", parameters: Schema.Struct({ root: Node }), execute: () => null })
    assert.isDefined(tree.parameters?.$defs)
    const judge = createJsonSchemaToolArgumentValidator()
    const context = { sessionId: "s", runId: "r", toolCallId: "c" }
    const leaf = { name: "b", children: [] }
    assert.isUndefined(judge(tree, { root: { name: "a", children: [leaf] } }, context))
    assert.isDefined(judge(tree, { root: { name: "a", children: [{ name: 1, children: [] }] } }, context))
  })

  it("does not run on arguments that do not decode, and names each path", async () => {
    const { result } = await calling(search, { query: 7, limit: 99 })
    assert.deepStrictEqual(ran, [])
    assert.include(result.error?.message, '["query"]')
    assert.include(result.error?.message, '["limit"]')
  })

  it("does not run on arguments that nobody declared", async () => {
    const { result } = await calling(search, { query: "a", limit: 1, extra: true })
    assert.deepStrictEqual(ran, [])
    assert.include(result.error?.message, '["extra"]')
  })

  it("runs with decoded arguments, and answers under the ids of the call", async () => {
    const { result } = await calling(search, { query: "a", limit: 1, since: "2024-01-02T00:00:00.000Z" })
    assert.deepStrictEqual(ran, [{ query: "a", limit: 1, since: new Date("2024-01-02T00:00:00.000Z") }])
    assert.deepStrictEqual(result, { toolCallId: "call-search", name: "search", value: { found: "a", limit: 1 } })
  })

  it("fills in what a Schema gives by default", async () => {
    const withDefault = define({
      name: "page",
      parameters: Schema.Struct({ size: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(20))) }),
      execute: ({ size }) => size + 1
    })
    const { result } = await calling(withDefault, {})
    assert.strictEqual(result.value, 21)
  })

  it("takes a value, a Promise or an Effect, with the context of the call", async () => {
    const answers = [
      (args: { readonly n: number }) => args.n + 1,
      (args: { readonly n: number }) => Promise.resolve(args.n + 1),
      (args: { readonly n: number }) => Effect.succeed(args.n + 1)
    ]
    for (const answer of answers) {
      const tool = define({
        name: "add",
        parameters: Schema.Struct({ n: Schema.Number }),
        execute: (args, context) => {
          ran.push(context.toolCallId)
          return answer(args)
        }
      })
      const { result } = await calling(tool, { n: 1 })
      assert.strictEqual(result.value, 2)
      assert.deepStrictEqual(ran, ["call-add"])
    }
  })

  it("what it throws, rejects with or fails with becomes the error result", async () => {
    const failing = [
      () => {
        throw new Error("broken")
      },
      () => Promise.reject(new Error("broken")),
      () => Effect.fail(new Error("broken"))
    ]
    for (const execute of failing) {
      const tool = define<Record<string, never>, never>({ name: "fails", parameters: { type: "object" }, execute })
      const { result } = await calling(tool, {})
      assert.strictEqual(result.error?.message, "broken")
    }
  })

  it("encodes the answer with the Schema of success, and fails on one that is none", async () => {
    const clock = (answer: unknown) =>
      define({
        name: "clock",
        parameters: Schema.Struct({}),
        success: Schema.Struct({ at: Schema.DateFromString }),
        execute: () => untyped<{ readonly at: Date }>(answer)
      })
    const { result } = await calling(clock({ at: new Date("2024-01-02T00:00:00.000Z") }), {})
    assert.deepStrictEqual(result.value, { at: "2024-01-02T00:00:00.000Z" })
    const wrong = await calling(clock({ at: "yesterday" }), {})
    assert.isUndefined(wrong.result.value)
    assert.include(wrong.result.error?.message, '["at"]')
    const more = await calling(clock({ at: new Date(0), secret: 1 }), {})
    assert.include(more.result.error?.message, '["secret"]')
  })

  it("takes a JSON Schema, which guides the model and checks what is called", async () => {
    const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
    const double = define<{ readonly n: number }, number>({
      name: "double",
      parameters,
      execute: ({ n }) => {
        ran.push(n)
        return n * 2
      }
    })
    assert.deepStrictEqual(double.parameters, parameters)
    assert.strictEqual((await calling(double, { n: 2 })).result.value, 4)
    const wrong = await calling(double, { n: "2" })
    assert.deepStrictEqual(ran, [])
    assert.include(wrong.result.error?.message, 'must be an integer, got "2"')
    assert.include(wrong.result.error?.message, '["n"]')
  })

  it("throws for a JSON Schema that is refused", () => {
    const refused = [{ type: "int" }, { $ref: "https://example.org/a.json" }, JSON.parse('{"__proto__":{}}')]
    for (const parameters of refused) {
      assert.throws(() => define({ name: "t", parameters, execute: () => null }), SchemaRejectedError)
    }
  })

  it("keeps the other fields of a tool", () => {
    const tool = define({
      name: "t",
      exclusive: true,
      timeoutMs: 5,
      parameters: Schema.Struct({}),
      execute: () => null
    })
    assert.deepInclude(tool, { name: "t", exclusive: true, timeoutMs: 5 })
    assert.notProperty(tool, "success")
  })
})
