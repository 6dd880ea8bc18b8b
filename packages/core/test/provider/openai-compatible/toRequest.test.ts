import { assert, describe, it } from "@effect/vitest"
import type { ProviderRequest } from "../../../src/ports/AIProvider.ts"
import type { ToolDefinition } from "../../../src/ports/ToolDefinition.ts"
import type { JsonObject } from "../../../src/schema/Json.ts"
import { toRequest } from "../../../src/provider/openai-compatible/toRequest.ts"
import { hello, model } from "./loopback.ts"

const tool = (parameters?: JsonObject): ToolDefinition => ({
  name: "look",
  description: "Looks.",
  parameters,
  execute: () => ({ toolCallId: "", name: "look" })
})

const bodyOf = (more: Partial<ProviderRequest>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(toRequest(hello(more))))

const parametersOf = (schema: JsonObject | undefined) => bodyOf({ tools: [tool(schema)] })["tools"]

const sent = (parameters: unknown) => [
  { type: "function", function: { name: "look", description: "Looks.", parameters } }
]

describe("toRequest", () => {
  it("P17.10: options and parameters cannot replace model, messages, tools, stream or structured output", () => {
    const body = bodyOf({
      model: { ...model, parameters: { stream: false } },
      tools: [tool()],
      options: {
        compat: { model: "other", messages: [] },
        extra: {
          tools: [],
          stream: false,
          response_format: { type: "text" },
          stream_options: { include_usage: false }
        },
        structuredOutput: { name: "answer", schema: { type: "object" }, strict: true }
      }
    })
    assert.deepStrictEqual(body, {
      stream_options: { include_usage: true },
      model: "test-model",
      messages: [{ role: "user", content: "hello" }],
      tools: [
        {
          type: "function",
          function: { name: "look", description: "Looks.", parameters: { type: "object", properties: {} } }
        }
      ],
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", schema: { type: "object" }, strict: true }
      },
      stream: true
    })
  })

  it("P17.4, P17.10: a plain request streams, asks for usage and has no tools field", () => {
    assert.deepStrictEqual(bodyOf({ tools: [] }), {
      stream_options: { include_usage: true },
      model: "test-model",
      messages: [{ role: "user", content: "hello" }],
      stream: true
    })
  })

  it("P17.10: maxTokens goes on the wire as max_tokens only, other parameters as they are", () => {
    const body = bodyOf({ model: { ...model, parameters: { maxTokens: 7, temperature: 0.5, seed: 1 } } })
    assert.strictEqual(body["max_tokens"], 7)
    assert.notProperty(body, "maxTokens")
    assert.strictEqual(body["temperature"], 0.5)
    assert.strictEqual(body["seed"], 1)
  })

  it("P17.10: extra wins over compat, and compat over parameters", () => {
    const body = bodyOf({
      model: { ...model, parameters: { a: 1, b: 1, c: 1 } },
      options: { compat: { b: 2, c: 2 }, extra: { c: 3 } }
    })
    assert.deepInclude(body, { a: 1, b: 2, c: 3 })
  })

  it("P17.10: stream_options can be extended, or left out for a server that refuses it", () => {
    const extended = bodyOf({ options: { extra: { stream_options: { chunk: 1 } } } })
    assert.deepStrictEqual(extended["stream_options"], { chunk: 1, include_usage: true })
    assert.notProperty(bodyOf({ options: { extra: { stream_options: null } } }), "stream_options")
  })

  it("P17.9: the root of a tool's schema becomes an object with properties, and keeps everything else", () => {
    assert.deepStrictEqual(parametersOf(undefined), sent({ type: "object", properties: {} }))
    assert.deepStrictEqual(
      parametersOf({ $defs: { a: {} }, properties: [], anyOf: [{ required: ["a"] }] }),
      sent({ $defs: { a: {} }, properties: {}, anyOf: [{ required: ["a"] }], type: "object" })
    )
    const schema = { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { type: "string" } } }
    assert.deepStrictEqual(parametersOf(schema), sent(schema))
  })

  it("P17.10: hints that Chat Completions does not know stay off the wire", () => {
    const body = bodyOf({
      model: { ...model, compat: { route: "x" } },
      options: { sessionId: "s", cacheKey: "k", cacheRetention: "long", cache: { mode: "on" } },
      metadata: { secret: "s" },
      context: [{ content: "c" }]
    })
    assert.sameMembers(Object.keys(body), ["stream_options", "model", "messages", "stream"])
  })
})
