import {
  type AgentEvent,
  assertExecutionAllowed,
  createAgent,
  createMockProvider,
  createStaticPermissionPolicy,
  createToolParameterValidator,
  createToolRegistry,
  dispatchToolCall,
  dispatchToolCallsInOrder,
  type ExecutionAction,
  type ExecutionDecision,
  type ExecutionPolicy,
  type JsonObject,
  type LoopContext,
  providerDone,
  providerTextDelta,
  providerToolCall,
  resolveToolConcurrency,
  type ToolArgumentValidationResult,
  type ToolArgumentValidator,
  type ToolCallContent,
  toolCallContent,
  type ToolValidator
} from "@arnilo/prism"
import { createJsonSchemaToolArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import { assert, describe, expectTypeOf, it } from "@effect/vitest"

const model = { provider: "mock", model: "demo" }
const provider = createMockProvider([providerTextDelta("ok"), providerDone({ inputTokens: 1, outputTokens: 1 })])

describe("what hosts write", () => {
  it("J18, J19: an agent whose arguments are checked against JSON Schemas", async () => {
    const ran: Array<unknown> = []
    const tool = (name: string, parameters: JsonObject) => ({
      name,
      parameters,
      execute: (args: JsonObject) => {
        ran.push(args)
        return { toolCallId: name, name, value: "ran" }
      }
    })
    const calls = [
      toolCallContent("c1", "typed", { n: "x" }),
      toolCallContent("c2", "typed", { n: 1 }),
      toolCallContent("c3", "remote", {})
    ]
    const asks = createMockProvider([...calls.map((call) => providerToolCall(call)), providerDone()])
    const agent = createAgent({
      model,
      provider: {
        id: "mock",
        generate: (request) => (request.messages.at(-1)?.role === "tool" ? provider : asks).generate(request)
      },
      tools: [
        tool("typed", { type: "object", properties: { n: { type: "integer" } } }),
        tool("remote", { $ref: "other.json" })
      ],
      validator: createJsonSchemaToolArgumentValidator()
    })
    const blocked: Array<string> = []
    for await (const event of agent.createSession().stream("Go")) {
      if (event.type === "tool_execution_blocked") blocked.push(`${event.reason} ${event.error?.message ?? ""}`)
    }
    assert.deepStrictEqual(ran, [{ n: 1 }])
    assert.deepStrictEqual(blocked, [
      'validation_failed /n: must be an integer, got "x"',
      'validation_failed /$ref: schema rejected at #/$ref: remote $ref is not allowed: "other.json"'
    ])
  })

  it("S6, S20: a run and its result, then a stream", async () => {
    const agent = createAgent({ model, provider })
    const session = agent.createSession({ id: "s1" })
    const result = await session.run("Hi", { maxToolRounds: 1, retry: { maxAttempts: 3, baseDelayMs: 50 } })
    assert.deepStrictEqual([result.text, result.usage?.totalTokens], ["ok", 2])
    const types: Array<string> = []
    for await (const event of session.stream("Follow up")) types.push(event.type)
    assert.deepStrictEqual([types[0], types.at(-1)], ["agent_started", "agent_finished"])
    const branch = await session.entries()
    await session.checkout(branch.at(-1)?.id)
    const clone = await session.clone({ id: "s2" })
    assert.strictEqual(clone.id, "s2")
    assert.strictEqual((await clone.entries()).length, 4)
  })

  it("E17: a consumer and a run side by side", async () => {
    const session = createAgent({ model, provider }).createSession()
    const seen: Array<AgentEvent["type"]> = []
    const consumer = (async () => {
      for await (const event of session.subscribe()) seen.push(event.type)
    })()
    await Promise.all([consumer, session.run("Hi")])
    assert.strictEqual(seen.at(-1), "agent_finished")
  })

  it("T33: static permission, a registry and a lone dispatch", async () => {
    const registry = createToolRegistry([
      { name: "echo", execute: (args, { toolCallId }) => ({ toolCallId, name: "echo", value: args }) }
    ])
    const result = await dispatchToolCall({
      call: toolCallContent("1", "echo", { a: 1 }),
      registry,
      permission: createStaticPermissionPolicy({ allow: ["tool:echo:execute"] }),
      context: { sessionId: "s", runId: "r", toolCallId: "1" }
    })
    assert.deepStrictEqual(result.value, { a: 1 })
  })

  it("T24: the loop's options are plain data", () => {
    assert.strictEqual(resolveToolConcurrency({ loop: { strategy: "single-shot", toolConcurrency: 2 } }, {}), 2)
  })

  it("T35: the shapes of the execution policy are as documented", () => {
    expectTypeOf<ExecutionPolicy["check"]>().parameter(0).toEqualTypeOf<ExecutionAction>()
    expectTypeOf(assertExecutionAllowed).returns.toEqualTypeOf<Promise<ExecutionAction>>()
    expectTypeOf<ExecutionDecision["modified"]>().toEqualTypeOf<Partial<ExecutionAction> | undefined>()
    expectTypeOf<ReturnType<ToolArgumentValidator["validate"]>>().toEqualTypeOf<ToolArgumentValidationResult>()
    expectTypeOf(createToolParameterValidator).returns.toEqualTypeOf<ToolValidator>()
    expectTypeOf(dispatchToolCallsInOrder).parameters.toEqualTypeOf<
      [calls: ReadonlyArray<ToolCallContent>, context: LoopContext]
    >()
  })
})
