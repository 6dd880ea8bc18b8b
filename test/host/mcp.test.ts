/** A host whose agent uses the tools of MCP servers, from `createAgent` to the result. */
import { join } from "node:path"
import {
  createAgent,
  createSecretRedactor,
  createStaticPermissionPolicy,
  providerTextDelta,
  providerToolCall,
  toolCallContent,
  type AgentEvent,
  type ToolDefinition
} from "@arnilo/prism"
import { createScriptedProvider, type ScriptedTurn } from "@arnilo/prism-core/testing"
import { createJsonSchemaToolArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import {
  connectMcpTools,
  createMcpToolRegistry,
  type ConnectMcpToolsOptions,
  type McpToolBridge
} from "@arnilo/prism-mcp"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { repository } from "../package/imports.ts"

const open: Array<McpToolBridge> = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((bridge) => bridge.close()))
})

/** A server of ours as a child, that misbehaves when its tools are called by the names of their faults. */
const connect = async (serverId: string, options: Partial<ConnectMcpToolsOptions> = {}): Promise<McpToolBridge> => {
  const script = join(repository, "packages/mcp/test/fixtures/stdioServer.ts")
  const transport = { type: "stdio", command: process.execPath, args: ["--no-warnings", script] } as const
  const bridge = await connectMcpTools({ serverId, transport, ...options })
  open.push(bridge)
  return bridge
}

const asks = (name: string, args = {}): ScriptedTurn => [providerToolCall(toolCallContent(`call ${name}`, name, args))]
const says = (text: string): ScriptedTurn => [providerTextDelta(text)]

const runAgent = async (turns: ReadonlyArray<ScriptedTurn>, options: Partial<Parameters<typeof createAgent>[0]>) => {
  const provider = createScriptedProvider(turns)
  const agent = createAgent({
    model: { provider: "mock", model: "mock" },
    provider,
    validator: createJsonSchemaToolArgumentValidator(),
    limits: { maxToolRounds: 8 },
    ...options
  })
  const events: Array<AgentEvent> = []
  const session = agent.createSession()
  for await (const event of session.stream("go")) events.push(event)
  const finished = events.flatMap((event) => (event.type === "tool_execution_finished" ? [event.result] : []))
  const failed = events.flatMap((event) => (event.type === "tool_execution_error" ? [event.error.message] : []))
  return { events, failed, finished, provider, session }
}

describe("an agent with MCP tools", () => {
  it("M9: keeps its own tool beside remote ones of the same name", async () => {
    const [one, two] = await Promise.all([connect("one"), connect("two")])
    const own: ToolDefinition = {
      name: "echo",
      execute: (_, { toolCallId }) => ({ toolCallId, name: "echo", value: "own" })
    }
    const { finished, provider } = await runAgent(
      [asks("echo"), asks("mcp:one:echo", { text: "1" }), asks("mcp:two:echo", { text: "2" }), says("done")],
      { tools: createMcpToolRegistry({ tools: [own], bridges: [one, two] }) }
    )
    assert.deepStrictEqual(
      finished.map(({ content, name, value }) => [name, value ?? content]),
      [
        ["echo", "own"],
        ["mcp:one:echo", [{ type: "text", text: "1" }]],
        ["mcp:two:echo", [{ type: "text", text: "2" }]]
      ]
    )
    // Under names that the provider accepts.
    assert.strictEqual(provider.requests[0]?.tools?.length, 1 + one.tools.length + two.tools.length)
    assert.throws(
      () => createMcpToolRegistry({ tools: [{ ...own, name: "mcp:one:echo" }], bridges: [one] }),
      "Duplicate tool: mcp:one:echo"
    )
  })

  it.each([
    ["huge", "exceeds 50000 bytes", { maxResultBytes: 50_000 }],
    ["hang", "timed out after 500ms", { callTimeoutMs: 500 }]
  ])("M18: goes on after a bounded error, the connection is closed: %s", async (name, message, options) => {
    const bridge = await connect("s", options)
    const { failed, finished, session } = await runAgent(
      [asks(`mcp:s:${name}`), asks("mcp:s:echo"), says("I could not.")],
      {
        tools: createMcpToolRegistry({ bridges: [bridge] })
      }
    )
    assert.strictEqual(finished.length, 1)
    assert.include(finished[0]?.error?.message, message)
    assert.isUndefined(finished[0]?.content)
    assert.deepStrictEqual(failed, ["MCP bridge is closed"])
    assert.throws(() => bridge.tools, "MCP bridge is closed")
    assert.strictEqual((await session.entries()).at(-1)?.message?.role, "assistant")
  })

  it("M12: sends the old tools after a list change until the host refreshes, and the new ones of a bridge that follows", async () => {
    const [manual, following] = await Promise.all([connect("manual"), connect("following", { refresh: "next-turn" })])
    const before = [manual.tools, following.tools]
    await runAgent([asks("mcp:manual:flood"), asks("mcp:following:flood"), says("done")], {
      tools: createMcpToolRegistry({ bridges: [manual, following] })
    })
    assert.strictEqual(manual.tools, before[0])
    assert.notStrictEqual(following.tools, before[1])
    await manual.refresh()
    assert.notStrictEqual(manual.tools, before[0])
  })

  it("M31: what a server says is redacted in events, in the store and in the next request", async () => {
    const bridge = await connect("s")
    const { events, provider, session } = await runAgent(
      [asks("mcp:s:echo", { text: "the token is s3cret" }), says("ok")],
      {
        tools: bridge.tools,
        redactor: createSecretRedactor(["s3cret"])
      }
    )
    const sent = provider.requests[1]?.messages.filter(({ role }) => role === "tool")
    assert.include(JSON.stringify(sent), "the token is")
    for (const told of [
      sent,
      events.filter(({ type }) => type === "tool_execution_finished"),
      await session.entries()
    ]) {
      assert.notInclude(JSON.stringify(told).replaceAll('"arguments":{"text":"the token is s3cret"}', ""), "s3cret")
    }
  })

  it("M15: permission comes first: what is denied is not sent", async () => {
    const bridge = await connect("s")
    const { events } = await runAgent([asks("mcp:s:die"), asks("mcp:s:echo"), says("ok")], {
      tools: bridge.tools,
      permission: createStaticPermissionPolicy({ deny: ["tool:mcp:s:die:execute"] })
    })
    assert.deepStrictEqual(
      events.flatMap((event) => (event.type === "tool_execution_blocked" ? [event.reason] : [])),
      ["permission_denied"]
    )
    assert.strictEqual(bridge.health.state, "ready")
  })

  it("M15: progress of a server is an event of the session", async () => {
    const bridge = await connect("s")
    const { events } = await runAgent([asks("mcp:s:flood"), says("ok")], { tools: bridge.tools })
    const progress = events.filter(({ type }) => type === "tool_execution_progress")
    assert.deepInclude(progress[0], { name: "mcp:s:flood", progress: { progress: 0 } })
    assert.deepInclude(progress.at(-1), { progress: { progress: 499 } })
  })
})
