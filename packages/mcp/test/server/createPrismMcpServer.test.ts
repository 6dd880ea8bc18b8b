import { Client, InMemoryTransport } from "@modelcontextprotocol/client"
import {
  createSecretRedactor,
  createStaticPermissionPolicy,
  type RunLedgerPort,
  type ToolDefinition,
  type ToolResult
} from "@arnilo/prism-core"
import { attachMcpToolBridge } from "@arnilo/prism-mcp"
import { createPrismMcpServer, type PrismMcpServerOptions } from "@arnilo/prism-mcp/server"
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { watchedTools } from "./fixture.ts"

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** A client of a server over a pair in memory. */
const open = async (
  options: Partial<PrismMcpServerOptions> = {},
  onprogress?: (told: object) => void,
  mode: "legacy" | "auto" = "legacy"
) => {
  const watched = watchedTools()
  const server = createPrismMcpServer({ name: "prism", version: "1", tools: watched.tools, ...options })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far, { user: "ada" })
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } })
  await client.connect(near)
  closing.push(async () => {
    await client.close()
    await server.close()
  })
  const call = (name: string, args: object = {}, signal?: AbortSignal): Promise<any> =>
    client.callTool(
      { name, arguments: args as never },
      {
        ...(signal !== undefined && { signal }),
        ...(onprogress !== undefined && { onprogress })
      }
    )
  return { watched, server, client, call, transport: near }
}

const ignore = (): void => undefined
const silent: RunLedgerPort = { appendRun: ignore, appendEvent: ignore, appendToolCall: ignore, appendUsage: ignore }

const textOf = ({ content }: any): string => content[0].text

describe("createPrismMcpServer", () => {
  it("exposes what it is given, under names that clients accept, and nothing where nothing is given", async () => {
    const { client } = await open()
    const { tools } = await client.listTools()
    assert.deepStrictEqual(
      tools.map(({ name }) => name),
      ["math_add", "show", "fail", "long", "hang", "gate", "alone"]
    )
    assert.deepInclude(tools[0], { description: "Adds" })
    assert.deepStrictEqual(tools[1]?.inputSchema, { type: "object" })
    assert.deepStrictEqual((await (await open({ tools: [] })).client.listTools()).tools, [])
  })

  it("answers with blocks, structured content and progress", async () => {
    const progress: Array<object> = []
    const { call } = await open({}, (told) => progress.push(told))
    assert.deepStrictEqual(await call("math_add", { a: 1, b: 2 }), {
      content: [{ type: "text", text: '{"sum":3}' }],
      structuredContent: { sum: 3 }
    })
    assert.deepStrictEqual(progress, [{ progress: 1, total: 2, message: "adding" }])
    assert.deepStrictEqual((await call("show")).content, [
      { type: "text", text: "for ada" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource", resource: { uri: "prism:file/unnamed", mimeType: "application/zip", blob: "BBBB" } }
    ])
  })

  it("serves a client of the protocol without a handshake alike", async () => {
    const progress: Array<object> = []
    const { call, client, watched } = await open({}, (told) => progress.push(told), "auto")
    assert.strictEqual(client.getNegotiatedProtocolVersion(), "2026-07-28")
    assert.strictEqual((await client.listTools()).tools.length, 7)
    assert.deepStrictEqual((await call("math_add", { a: 1, b: 2 })).structuredContent, { sum: 3 })
    assert.deepStrictEqual(progress, [{ progress: 1, total: 2, message: "adding" }])
    assert.strictEqual(textOf(await call("show")), "for ada")
    assert.match(await call("none").catch(String), /Unknown tool: none/)
    const controller = new AbortController()
    const cancelled = call("hang", {}, controller.signal).catch((error: unknown) => error)
    await call("long")
    controller.abort()
    await cancelled
    await vi.waitFor(() => assert.strictEqual(watched.aborted.length, 1))
  })

  it("keeps all of a result: what is no object beside content, an error's value, documents, links", async () => {
    const media = { type: "document", mediaType: "text/html", name: "a b", data: "AAAA", transcript: "said" }
    const link = { type: "file", mediaType: "text/csv", url: "https://example.com/a.csv" }
    const results = {
      both: { content: [{ type: "text", text: "seven" }], value: 7 },
      failed: { error: { name: "E", message: "no" }, value: { at: 3 } },
      media: { content: [media, link, { type: "image", url: "https://example.com/a.png", mimeType: "image/png" }] }
    }
    const tools = Object.entries(results).map(([name, result]) => ({
      name,
      execute: (_: object, { toolCallId }: { toolCallId: string }) => ({ toolCallId, name, ...result }) as never
    }))
    const { call } = await open({ tools })
    assert.deepStrictEqual(await call("both"), {
      content: [
        { type: "text", text: "7" },
        { type: "text", text: "seven" }
      ]
    })
    assert.deepInclude(await call("failed"), { isError: true, structuredContent: { at: 3 } })
    assert.deepStrictEqual((await call("media")).content, [
      { type: "resource", resource: { uri: "prism:document/a%20b", mimeType: "text/html", blob: "AAAA" } },
      { type: "text", text: "said" },
      { type: "resource_link", uri: link.url, name: link.url, mimeType: "text/csv" },
      {
        type: "resource_link",
        uri: "https://example.com/a.png",
        name: "https://example.com/a.png",
        mimeType: "image/png"
      }
    ])
  })

  it("serves tools as they stood when it was made, instances of classes too", async () => {
    class Counter {
      readonly name = "count"
      readonly parameters = { type: "object", properties: { by: { type: "number" } } }
      #count = 0
      execute(_: object, { toolCallId }: { toolCallId: string }) {
        this.#count += 1
        return { toolCallId, name: this.name, value: this.#count }
      }
    }
    const counter = new Counter()
    const { call, client } = await open({ tools: [counter], secrets: ["hunter22"] })
    Object.assign(counter.parameters.properties, { by: { type: "string" } })
    assert.strictEqual(textOf(await call("count", { by: 1 })), "1")
    const [tool] = (await client.listTools()).tools
    assert.deepStrictEqual(tool?.inputSchema.properties, { by: { type: "number" } })
    const described = await open({
      tools: [{ ...watchedTools().tools[1]!, description: "hunter22" }],
      secrets: ["hunter22"]
    })
    assert.notInclude(JSON.stringify(await described.client.listTools()), "hunter22")
  })

  it("records the end of a call that its tool outlives", async () => {
    const rows: Array<any> = []
    const keep = (row: unknown) => void rows.push(row)
    const ledger: RunLedgerPort = { appendRun: keep, appendEvent: keep, appendToolCall: keep, appendUsage: keep }
    const { call } = await open({ ledger, callTimeoutMs: 100 })
    const result = await call("gate")
    assert.isTrue(result.isError)
    assert.match(textOf(result), /timed out after 100/)
    await vi.waitFor(() => assert.strictEqual(rows.at(-1)?.status, "error"))
    assert.strictEqual(rows.at(-1).result.error.name, "ToolTimeoutError")
  })

  it.each<[string, (hang: () => Promise<never>) => Partial<PrismMcpServerOptions>]>([
    ["a permission policy", (hang) => ({ permission: { check: hang } })],
    ["a validator", (hang) => ({ validate: hang })],
    ["a listener", (hang) => ({ emit: hang })],
    [
      "a ledger",
      (hang) => ({ ledger: { ...silent, appendToolCall: (row) => (row.status === "finished" ? hang() : undefined) } })
    ]
  ])("answers a call that %s keeps waiting, and goes on with the place that no tool needs", async (_, options) => {
    let hung = 0
    const { call } = await open({
      ...options(() => {
        hung++
        return new Promise(() => undefined)
      }),
      callTimeoutMs: 100,
      toolConcurrency: 1
    })
    for (const count of [1, 2, 3]) {
      assert.include(textOf(await call("math_add", { a: 1, b: 2 })), "timed out after 100ms")
      assert.strictEqual(hung, count)
    }
  })

  it("keeps the place of a tool that goes on after its client cancelled, Effect or Promise, and asks a thenable once", async () => {
    const [ends, begun]: [Array<() => void>, Array<string>] = [[], []]
    const work = () => new Promise<void>((resolve) => ends.push(resolve))
    const tool = (name: string, run: (done: () => ToolResult) => unknown): ToolDefinition => ({
      name,
      execute: (_, { toolCallId }) => {
        begun.push(name)
        return run(() => ({ toolCallId, name, value: name })) as never
      }
    })
    const tools = [
      tool("promise", (done) => work().then(done)),
      tool("effect", (done) => Effect.uninterruptible(Effect.promise(() => work().then(done)))),
      tool("lazy", (done) => ({
        then: (resolve: (result: ToolResult) => void) => (begun.push("asked"), resolve(done()))
      }))
    ]
    const { call } = await open({ tools, toolConcurrency: 1 })
    for (const name of ["promise", "effect"]) {
      begun.length = 0
      const stop = new AbortController()
      const first = call(name, {}, stop.signal).catch((error: unknown) => error)
      await vi.waitFor(() => assert.strictEqual(ends.length, 1))
      stop.abort()
      await first
      const next = call("lazy")
      await new Promise(setImmediate)
      assert.deepStrictEqual(begun, [name])
      ends.splice(0).forEach((end) => end())
      assert.strictEqual(textOf(await next), "lazy")
      assert.deepStrictEqual(begun, [name, "lazy", "asked"])
    }
  })

  it("lets a call through the gates of a run: validation, permission, redaction, ledger", async () => {
    const rows: Array<unknown> = []
    const keep = (row: unknown) => void rows.push(row)
    const ledger: RunLedgerPort = { appendRun: keep, appendEvent: keep, appendToolCall: keep, appendUsage: keep }
    const { call } = await open({
      permission: createStaticPermissionPolicy({ allow: ["tool:math:add:execute", "tool:fail:execute"] }),
      redactor: createSecretRedactor(["sk-secret-123456"]),
      ledger
    })
    const invalid = await call("math_add", { a: "x" })
    assert.isTrue(invalid.isError)
    assert.include(textOf(invalid), 'must have the property "b"')
    const denied = await call("show")
    assert.isTrue(denied.isError)
    assert.include(textOf(denied), "ermission")
    const failed = await call("fail")
    assert.isTrue(failed.isError)
    assert.notInclude(JSON.stringify(failed), "sk-secret")
    assert.isNotEmpty(rows)
    assert.match(await call("none").catch(String), /Unknown tool: none/)
  })

  it("redacts progress as it does results", async () => {
    const progress: Array<object> = []
    const { call } = await open({ secrets: ["adding"] }, (told) => progress.push(told))
    await call("math_add", { a: 1, b: 2 })
    assert.strictEqual(progress.length, 1)
    assert.notInclude(JSON.stringify(progress), "adding")
  })

  it("cancels a call that its client cancels, at its deadline, and when the client has gone", async () => {
    const { call, client, watched } = await open({ callTimeoutMs: 300 })
    const controller = new AbortController()
    const cancelled = call("hang", {}, controller.signal).catch((error: unknown) => error)
    await vi.waitFor(async () => assert.strictEqual(textOf(await call("long")).length, 2_000))
    controller.abort()
    await cancelled
    await vi.waitFor(() => assert.strictEqual(watched.aborted.length, 1))
    const late = await call("hang")
    assert.isTrue(late.isError)
    assert.include(textOf(late), "timed out after 300ms")
    assert.strictEqual(watched.aborted.length, 2)
    void call("hang").catch(() => undefined)
    await call("long")
    await client.close()
    await vi.waitFor(() => assert.strictEqual(watched.aborted.length, 3))
  })

  it("runs so many calls at once, lets so many wait, and an exclusive one alone", async () => {
    const { call, watched } = await open({ toolConcurrency: 2, maxWaitingCalls: 3 })
    const calls = Array.from({ length: 4 }, () => call("gate"))
    const alone = call("alone")
    await vi.waitFor(() => assert.strictEqual(watched.running, 2))
    const refused = await call("gate")
    assert.include(textOf(refused), "More than 3 calls are waiting")
    watched.open()
    assert.isTrue((await Promise.all(calls)).every((result) => textOf(result) === "through"))
    assert.strictEqual(textOf(await alone), "0")
    assert.strictEqual(watched.peak, 2)
  })

  it.each([
    ["a function", { value: () => 1 }],
    ["a symbol", { value: Symbol("x") }],
    ["a text block without text", { content: [{ type: "text", text: 5 }] }]
  ])("answers with text that clients can read for %s", async (_, result) => {
    const execute = (_args: object, { toolCallId }: { toolCallId: string }) => ({ toolCallId, name: "odd", ...result })
    const { call } = await open({ tools: [{ name: "odd", execute: execute as never }] })
    assert.isString(textOf(await call("odd")))
  })

  it("sends nothing of a result that is too large", async () => {
    const { call } = await open({ maxResultBytes: 1_000 })
    assert.deepStrictEqual(await call("long"), {
      content: [{ type: "text", text: "The result exceeds 1000 bytes" }],
      isError: true
    })
  })

  it("aborts what runs when it closes, and takes no client then", async () => {
    const { call, server, watched } = await open()
    void call("hang").catch(() => undefined)
    await call("long")
    await server.close()
    await server.close()
    await vi.waitFor(() => assert.strictEqual(watched.aborted.length, 1))
    const [, far] = InMemoryTransport.createLinkedPair()
    const error = await server.connect(far as never).catch((reason: unknown) => reason)
    assert.include(error, { message: "MCP server is closed" })
  })

  it("lets no second call in under an id that is in use, and aborts the first when the client has gone", async () => {
    const watched = watchedTools()
    const server = createPrismMcpServer({ name: "n", version: "1", tools: watched.tools })
    const [near, far] = InMemoryTransport.createLinkedPair()
    const heard: Array<any> = []
    Object.assign(near, { onmessage: (message: object) => heard.push(message) })
    await near.start()
    const call = (name: string) => near.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name } })
    // Sent before anybody listens.
    await call("hang")
    await server.connect(far)
    await call("long")
    await vi.waitFor(() => assert.strictEqual(heard.length, 1))
    assert.deepInclude(heard[0].error, { message: "Request id is in use" })
    await vi.waitFor(() => assert.strictEqual(watched.hung, 1))
    await near.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } })
    await vi.waitFor(() => assert.strictEqual(watched.aborted.length, 1))
    await new Promise(setImmediate)
    await call("long")
    await vi.waitFor(() => assert.strictEqual(heard.length, 2))
    assert.isDefined(heard[1].result)
    await call("hang")
    await vi.waitFor(() => assert.strictEqual(watched.hung, 2))
    await call("long")
    await near.close()
    await vi.waitFor(() => assert.strictEqual(watched.aborted.length, 2))
    await server.close()
  })

  it("says that a transport cannot be started, and keeps nothing of it", async () => {
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [] })
    let closed = 0
    const transport = {
      start: () => Promise.reject(new Error("address in use")),
      send: () => Promise.resolve(),
      close: async () => void closed++
    }
    assert.include(await server.connect(transport).catch((error: unknown) => error), { message: "address in use" })
    await server.close()
    assert.strictEqual(closed, 0)
  })

  it("refuses options and tools that cannot be served", () => {
    const tool = { name: "a", execute: () => ({ toolCallId: "", name: "a" }) }
    const refuse = (options: object, message: string): void =>
      assert.throws(() => createPrismMcpServer({ name: "n", version: "1", tools: [tool], ...options }), message)
    refuse({ name: "" }, "name must be a non-empty string")
    refuse({ version: 1 }, "version must be a non-empty string")
    refuse({ tools: undefined }, "tools must be a list of tool definitions")
    refuse(
      {
        tools: [
          { ...tool, name: "a:b" },
          { ...tool, name: "a/b" }
        ]
      },
      "tools a:b and a/b would both be called a_b"
    )
    refuse({ tools: [{ ...tool, parameters: { type: "array" } }] }, 'parameters must be of type "object"')
    refuse({ tools: [{ ...tool, parameters: { $ref: "https://example.com/" } }] }, "tool a: parameters/$ref: ")
    refuse({ tools: [undefined] }, "tools[0] must be a tool definition")
    refuse({ tools: [tool, { name: "b" }] }, "tools[1] must be a tool definition")
    refuse({ tools: [{ ...tool, name: "a".repeat(129) }] }, "the name exceeds 128 characters")
    refuse({ permision: {} }, 'MCP options must not have the property "permision"; did you mean "permission"?')
    refuse({ permission: () => true }, "permission must be an object with the method check (got a function)")
    refuse({ permission: {} }, "permission must be an object with the method check (got an object)")
    assert.throws(() => createPrismMcpServer(undefined as never), "MCP options must be an object (got undefined)")
    refuse({ toolConcurrency: 65 }, "toolConcurrency must be a positive safe integer <= 64")
    refuse({ maxWaitingCalls: 0 }, "maxWaitingCalls must be")
    refuse({ callTimeoutMs: 1.5 }, "callTimeoutMs must be")
    refuse({ maxResultBytes: -1 }, "maxResultBytes must be")
    refuse({ maxRequestBytes: Infinity }, "maxRequestBytes must be")
  })

  it("is a server like any other to the bridge", async () => {
    const { client, transport } = await open()
    const bridge = await attachMcpToolBridge(client, transport, { serverId: "prism" })
    const add = bridge.tools.find(({ name }) => name === "mcp:prism:math_add")
    const result: any = await add?.execute({ a: 2, b: 3 }, { sessionId: "s", runId: "r", toolCallId: "c" })
    assert.deepStrictEqual(result.value, { sum: 5 })
    await bridge.close()
  })
})
