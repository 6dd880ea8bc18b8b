import { ApprovalGate } from "@arnilo/prism-core"
import { connectMcpTools, type ConnectMcpToolsOptions, type McpToolBridge } from "@arnilo/prism-mcp"
import { createMcpHandler } from "@modelcontextprotocol/server"
import { createPrismMcpServer } from "@arnilo/prism-mcp/server"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { closeLink } from "../src/Connection.ts"
import { makeLinkOpener } from "../src/openLink.ts"
import { resolveMcpLimits } from "../src/resolveLimits.ts"
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { call } from "./fixtures/peer.ts"
import { makeSessionlessServer } from "./fixtures/sessionlessServer.ts"
import { stdioFixture } from "./fixtures/stdio.ts"
import { serveHttp } from "./server/fixture.ts"

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const connect = async (options: Omit<ConnectMcpToolsOptions, "serverId">): Promise<McpToolBridge> => {
  const bridge = await connectMcpTools({ serverId: "s", ...options })
  closing.push(() => bridge.close())
  return bridge
}

/** Behind a URL, with what it saw. */
const serve = async () => {
  const hung: Array<AbortSignal> = []
  const methods: Array<string> = []
  const state = { late: false }
  const handler = createMcpHandler(
    makeSessionlessServer(hung, () => state.late),
    { legacy: "reject" }
  )
  const served = await serveHttp(() => async (request) => {
    // The handshake has no such header.
    methods.push(request.headers.get("mcp-method") ?? request.method)
    return handler.fetch(request)
  })
  closing.push(() => handler.close(), served.stop)
  return { handler, hung, methods, state, transport: served.transport }
}

const use = async (bridge: McpToolBridge): Promise<void> => {
  assert.deepStrictEqual(
    bridge.tools.map(({ name }) => name),
    ["mcp:s:echo", "mcp:s:ask", "mcp:s:hang"]
  )
  const told: Array<unknown> = []
  const progress = (note: unknown): void => void told.push(note)
  assert.strictEqual((await call(bridge, "echo", { a: 1 }, { progress })).content[0].text, '{"a":1}')
  assert.deepStrictEqual(told, [{ progress: 1 }])
  const many = await Promise.all(Array.from({ length: 24 }, (_, at) => call(bridge, "echo", { at })))
  assert.deepStrictEqual(
    many.map(({ content }) => content[0].text),
    Array.from({ length: 24 }, (_, at) => `{"at":${at}}`)
  )
}

const elicitation = {
  approval: ApprovalGate.make({ prompt: () => true }),
  answer: () => ({ name: "Ada" })
}

describe("a server of 2026-07-28 alone", () => {
  it("M4: is used over stdio", async () => {
    await use(await connect({ transport: stdioFixture("sessionlessServer.ts") }))
  }, 20_000)

  it("M4: is used over HTTP, asked for the handshake once, ever", async () => {
    const { methods, transport } = await serve()
    const bridge = await connect({ transport, reconnect: true, callTimeoutMs: 1_000 })
    await use(bridge)
    assert.deepStrictEqual(methods.slice(0, 4), ["POST", "server/discover", "subscriptions/listen", "tools/list"])
    assert.isDefined((await call(bridge, "hang")).error)
    assert.isUndefined((await call(bridge, "echo")).error)
    assert.strictEqual(bridge.health.reconnects, 1)
    assert.strictEqual(methods.filter((method) => method === "POST").length, 1)
  })

  it("M20: an abort reaches it, and the bridge stays open", async () => {
    const { hung, transport } = await serve()
    const bridge = await connect({ transport })
    const abort = new AbortController()
    const hanging = call(bridge, "hang", {}, { signal: abort.signal })
    await vi.waitFor(() => assert.strictEqual(hung.length, 1))
    abort.abort()
    assert.isDefined((await hanging).error)
    await vi.waitFor(() => assert.isTrue(hung[0]?.aborted))
    assert.isUndefined((await call(bridge, "echo")).error)
  })

  it("M30: what it needs to know is asked for, or the call fails", async () => {
    const { transport } = await serve()
    const asking = await connect({ transport, elicitation })
    const { content } = await call(asking, "ask")
    assert.deepStrictEqual(JSON.parse(content[0].text), { who: { action: "accept", content: { name: "Ada" } } })
    const silent = await connect({ transport })
    assert.match((await call(silent, "ask")).error.message, /no handler|not offer|capability/i)
  })

  it("M19: the time of a call is that of all its rounds together", async () => {
    const { transport } = await serve()
    const never = { ...elicitation, answer: () => new Promise<never>(() => undefined) }
    const bridge = await connect({ transport, elicitation: never, callTimeoutMs: 500, onCallFailure: "cancel" })
    assert.strictEqual((await call(bridge, "ask")).error.message, "MCP tool call timed out after 500ms")
    assert.isUndefined((await call(bridge, "echo")).error)
  })

  it("M12: an announcement makes its list stale, and nothing is requested before the next turn", async () => {
    const { handler, methods, state, transport } = await serve()
    const bridge = await connect({ transport, refresh: "next-turn", listCacheTtlMs: 60_000 })
    await bridge.prepareTurn?.()
    const listings = (): number => methods.filter((method) => method === "tools/list").length
    assert.strictEqual(listings(), 1)
    state.late = true
    for (let at = 0; at < 100; at++) handler.notify.toolsChanged()
    await call(bridge, "echo")
    assert.strictEqual(listings(), 1)
    await vi.waitFor(async () => {
      await bridge.prepareTurn?.()
      assert.strictEqual(bridge.tools.length, 4)
    })
    assert.strictEqual(listings(), 2)
  })

  it("M21: is remembered only while it lets itself be used so: another one in its place may take the handshake", async () => {
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [] })
    closing.push(() => server.close())
    let isStarting = true
    const served = await serveHttp((host) => {
      const handler = server.createHandler({ allowedHosts: [host], authenticate: "none" })
      return async (request) => {
        if (request.headers.has("mcp-method")) return new Response(null, { status: 500 })
        if (!isStarting) return handler(request)
        return Response.json({ jsonrpc: "2.0", id: 0, error: { code: -32_601, message: "starting" } })
      }
    })
    closing.push(served.stop)
    const requests = { refuse: () => Promise.reject(new Error("nothing")) }
    const opener = makeLinkOpener(served.transport, requests, resolveMcpLimits({}), {
      onListChanged: () => undefined,
      onTransport: () => undefined
    })
    assert.isTrue(Exit.isFailure(await Effect.runPromiseExit(opener.open)))
    isStarting = false
    await closeLink(await Effect.runPromise(opener.open))
  })

  const answering = (discover: string): Omit<ConnectMcpToolsOptions, "serverId"> => ({
    transport: {
      type: "stdio",
      command: process.execPath,
      args: [
        "-e",
        `require("readline").createInterface(process.stdin).on("line", (line) => {
          const { id, method } = JSON.parse(line)
          const send = (body) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...body }))
          const capabilities = { tools: { listChanged: true } }
          const serverInfo = { name: "s", version: "1" }
          if (method === "initialize") send({ error: { code: -32022, message: "no", data: { supported: ["2026-07-28"], requested: "x" } } })
          if (method === "server/discover") { ${discover} }
          if (method === "tools/list") send({ result: { resultType: "complete", ttlMs: 0, cacheScope: "private", tools: [] } })
        })`
      ]
    }
  })

  it("M21: one that dies as it is asked is told of with its last words", async () => {
    const options = answering('process.stderr.write("out of paper"); process.exitCode = 7; process.stdin.destroy()')
    const error = await connect(options).catch((reason: unknown) => reason)
    assert.match(String(error), /MCP server exited with code 7; stderr: out of paper/)
  })

  it("M4: one that never agrees to tell of changes is used without", async () => {
    const discovered =
      '{ resultType: "complete", ttlMs: 0, cacheScope: "private", supportedVersions: ["2026-07-28"], capabilities, serverInfo }'
    const bridge = await connect(answering(`send({ result: ${discovered} })`))
    assert.deepStrictEqual(bridge.tools, [])
  }, 20_000)
})
