import { assert, describe, it } from "@effect/vitest"
import type { RunOptions } from "../../../src/ports/AgentPort.ts"
import type { ToolDefinition } from "../../../src/ports/ToolDefinition.ts"
import type { JsonObject } from "../../../src/schema/Json.ts"
import { createToolRegistry } from "../../../src/tool/ToolRegistry.ts"
import { createJsonSchemaToolArgumentValidator } from "../../../src/validation/json-schema/index.ts"
import { callOf, dispatched, tool } from "../../dispatch/dispatching.ts"
import { eventsOf, scripted, text, toolCall, untyped } from "../../run/runs.ts"

const parameters: JsonObject = {
  type: "object",
  properties: { path: { type: "string" }, line: { type: "integer", default: 1 } },
  required: ["path"],
  additionalProperties: false
}

const recording = (schema: JsonObject | undefined = parameters, name = "read") => {
  const ran: Array<unknown> = []
  return {
    ran,
    tool: tool(name, (args) => (ran.push(args), "done"), schema === undefined ? {} : { parameters: schema })
  }
}

/** A lone dispatch of a call, with all that was told and run. */
const alone = async (
  of: { readonly ran: Array<unknown>; readonly tool: ToolDefinition },
  args: JsonObject,
  secrets: ReadonlyArray<string> = []
) => {
  const validate = createJsonSchemaToolArgumentValidator()
  return { ...(await dispatched(callOf(of.tool.name, args), { tools: [of.tool], validate, secrets })), ran: of.ran }
}

/** A run whose model calls the tools once, then answers with text. */
const inRun = async (
  tools: ReadonlyArray<ToolDefinition>,
  args: ReadonlyArray<JsonObject>,
  options?: RunOptions,
  config: object = { validator: createJsonSchemaToolArgumentValidator() }
) => {
  const calls = args.map((given, index) => toolCall(`c${index}`, tools[index % tools.length]?.name ?? "", given))
  const { provider, session } = scripted(
    [calls, [text("ok")]],
    untyped({ tools: createToolRegistry(tools), ...config })
  )
  const events = await eventsOf(session, "hi", options)
  return { events, provider, answers: provider.requests[1]?.messages.at(-1)?.content ?? [] }
}

describe("a validator of JSON Schemas in dispatch", () => {
  it("J18: arguments that violate the schema are blocked as validation_failed, and the tool does not run", async () => {
    for (const args of [
      {},
      { path: 1 },
      { path: "a", line: "1" },
      { path: "a", extra: 1 }
    ] satisfies ReadonlyArray<JsonObject>) {
      const { events, ran, result, types } = await alone(recording(), args)
      assert.deepStrictEqual(ran, [])
      assert.deepStrictEqual(types, ["tool_execution_blocked"])
      assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "validation_failed" })
      assert.isDefined(result.error)
      assert.isUndefined(result.value)
    }
  })

  it("J18: the model is told what was wrong, each with its place", async () => {
    const { result } = await alone(recording(), { path: 1, lime: 2 })
    assert.strictEqual(
      result.error?.message,
      '/path: must be a string, got 1; must not have the property "lime"; did you mean "line"?'
    )
  })

  it("J18: the message is redacted", async () => {
    const { events, result, rows } = await alone(recording(), { path: "a", line: "sk-secret" }, ["sk-secret"])
    assert.include(result.error?.message, "[REDACTED]")
    assert.notInclude(JSON.stringify([result, rows.map(({ result: stored }) => stored)]), "sk-secret")
    assert.notInclude(JSON.stringify(events.map((event) => "error" in event && event.error)), "sk-secret")
  })

  it("J17: arguments that match reach the tool as they are: no defaults, no coercion", async () => {
    const args = { path: "a" }
    const { ran, types } = await alone(recording(), args)
    assert.deepStrictEqual(ran, [{ path: "a" }])
    assert.deepStrictEqual(args, { path: "a" })
    assert.deepStrictEqual(types, ["tool_execution_started", "tool_execution_finished"])
  })

  it("J19: a schema that is malformed or remote is blocked at call time, not at registration", async () => {
    const broken: ReadonlyArray<JsonObject> = [
      { type: "int" },
      { $ref: "https://example.org/schema.json" },
      { properties: { a: { $ref: "other.json" } } },
      { properties: { a: { pattern: "(" } } },
      JSON.parse('{"properties":{"__proto__":{}}}') as JsonObject
    ]
    for (const schema of broken) {
      const of = recording(schema)
      assert.lengthOf(createToolRegistry([of.tool]).list(), 1)
      const { events, ran, result } = await alone(of, { path: "a" })
      assert.deepStrictEqual(ran, [])
      assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "validation_failed" })
      assert.strictEqual(result.error?.code, "schema_rejected")
      assert.include(result.error?.message, "schema rejected at #")
    }
    const { result } = await alone(recording({ properties: { a: { $ref: "other.json" } } }), {})
    assert.include(result.error?.message, "#/properties/a/$ref: remote $ref is not allowed")
  })

  it("J11: keys that reach prototypes are refused before execute", async () => {
    for (const key of ["__proto__", "prototype", "constructor"]) {
      for (const json of [`{"path":"a","${key}":{}}`, `{"path":"a","deep":[{"${key}":1}]}`]) {
        const of = recording({ type: "object" })
        const { events, ran } = await alone(of, JSON.parse(json) as JsonObject)
        assert.deepStrictEqual(ran, [])
        assert.strictEqual(events[0]?.type, "tool_execution_blocked")
      }
    }
    const judge = createJsonSchemaToolArgumentValidator()
    const context = { sessionId: "s", runId: "r", toolCallId: "c" }
    const hostile = JSON.parse('{"__proto__":{}}') as JsonObject
    assert.strictEqual(judge(recording({ type: "object" }).tool, hostile, context), "__proto__: forbidden property key")
    const { events } = await alone(recording({ type: "object" }), hostile)
    assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "invalid_arguments" })
  })

  it("J20: a second call of the same tool, or of an equal schema, compiles nothing", async () => {
    let looks = 0
    const watched = untyped<JsonObject>(
      new Proxy(structuredClone(parameters), { ownKeys: (target) => (looks++, Reflect.ownKeys(target)) })
    )
    const of = recording(watched)
    const validate = createJsonSchemaToolArgumentValidator()
    for (let call = 0; call < 5; call++) {
      await dispatched(callOf("read", { path: "a" }), { tools: [of.tool], validate })
    }
    assert.lengthOf(of.ran, 5)
    assert.strictEqual(looks, 1)
  })
})

describe("a validator of JSON Schemas in a run", () => {
  it("J18: as an agent's validator it blocks the call, tells the model, and the run goes on", async () => {
    const of = recording()
    const { answers, events } = await inRun([of.tool], [{ path: 1 }])
    assert.deepStrictEqual(of.ran, [])
    const blocked = events.find(({ type }) => type === "tool_execution_blocked")
    assert.deepInclude(blocked, { reason: "validation_failed" })
    assert.include(JSON.stringify(answers), "/path: must be a string, got 1")
    assert.notInclude(events.map(({ type }) => type).join(), "tool_execution_started")
  })

  it("J18: as a run's validate it blocks the call as well", async () => {
    const of = recording()
    const validate = createJsonSchemaToolArgumentValidator()
    const { events } = await inRun([of.tool], [{}], { validate }, {})
    assert.deepStrictEqual(of.ran, [])
    assert.deepInclude(
      events.find(({ type }) => type === "tool_execution_blocked"),
      { reason: "validation_failed" }
    )
  })

  it("J19: one odd schema does not affect another tool of the same turn", async () => {
    const good = recording(parameters, "good")
    const bad = recording({ $ref: "other.json" }, "bad")
    const { answers } = await inRun([good.tool, bad.tool], [{ path: "a" }, {}])
    assert.deepStrictEqual(good.ran, [{ path: "a" }])
    assert.deepStrictEqual(bad.ran, [])
    assert.include(JSON.stringify(answers), "remote $ref is not allowed")
  })

  it("a tool without a schema runs, unless that is told to be refused", async () => {
    const free: ReturnType<typeof recording> = { ran: [], tool: tool("free", () => "done") }
    const ran: Array<unknown> = []
    const bare = { ...free.tool, execute: tool("free", (args) => ran.push(args)).execute }
    await inRun([bare], [{ any: 1 }])
    assert.deepStrictEqual(ran, [{ any: 1 }])
    const validator = createJsonSchemaToolArgumentValidator({ missingSchema: "reject" })
    const { answers } = await inRun([bare], [{ any: 2 }], undefined, { validator })
    assert.deepStrictEqual(ran, [{ any: 1 }])
    assert.include(JSON.stringify(answers), "Tool free has no parameters schema")
  })

  it("J16: one validator serves several agents", async () => {
    const config = { validator: createJsonSchemaToolArgumentValidator() }
    const [one, two] = [recording(), recording()]
    await inRun([one.tool], [{ path: "a" }], undefined, config)
    await inRun([two.tool], [{ path: 1 }], undefined, config)
    assert.deepStrictEqual(one.ran, [{ path: "a" }])
    assert.deepStrictEqual(two.ran, [])
  })
})
