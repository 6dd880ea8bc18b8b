import { attachMcpToolBridge, listAllMcpTools, McpBridgeClosedError, McpBridgeError, McpTools } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { attachPeer, call, openPeer, type Peer, silence, tool } from "./fixtures/peer.ts"
import { rejection } from "./fixtures/rejection.ts"

const names = (bridge: { readonly tools: ReadonlyArray<{ readonly name: string }> }) =>
  bridge.tools.map(({ name }) => name)

const listings = ({ received }: Peer): number => received.filter(({ method }) => method === "tools/list").length

describe("tools/list", () => {
  it("M7: all pages are fetched; an empty cursor is the end", async () => {
    const { bridge, peer } = await attachPeer({
      "tools/list": (params) =>
        params?.cursor === undefined
          ? { tools: [tool("a")], nextCursor: "2" }
          : params.cursor === "2"
            ? { tools: [tool("b")], nextCursor: "3" }
            : { tools: [tool("c")], nextCursor: "" }
    })
    assert.deepStrictEqual(names(bridge), ["mcp:s:a", "mcp:s:b", "mcp:s:c"])
    assert.strictEqual(listings(peer), 3)
  })

  let page = 0
  it.each<readonly [string, (params: any) => unknown, object, string, number]>([
    ["too many pages", () => ({ tools: [], nextCursor: String(page++) }), { maxListPages: 3 }, "exceeds 3 pages", 3],
    ["a page too many", () => ({ tools: [tool("a"), tool("b")] }), { maxTools: 1 }, "exceeds 1 tools", 1],
    ["a repeated cursor", () => ({ tools: [], nextCursor: "c" }), {}, "repeated a pagination cursor", 2],
    [
      "a long cursor",
      () => ({ tools: [], nextCursor: "ü".repeat(6) }),
      { maxCursorBytes: 10 },
      "exceeds 10 cursor bytes",
      1
    ],
    ["a cursor that is none", () => ({ tools: [], nextCursor: 7 }), {}, "cursor that is no string", 1],
    [
      "too many schema bytes",
      () => ({
        tools: [
          tool("a", { inputSchema: { title: "x".repeat(60) } }),
          tool("b", { outputSchema: { title: "x".repeat(60) } })
        ]
      }),
      { maxTotalToolSchemaBytes: 128 },
      "exceeds 128 schema bytes",
      1
    ],
    ["no list", () => ({ tools: {} }), {}, "no list of tools", 1],
    ["nothing", () => null, {}, "", 1]
  ])("M7: %s refuses the listing, and nothing more is requested", async (_, answer, options, message, requests) => {
    const { client, peer, transport } = await openPeer({ "tools/list": answer })
    const error = await rejection(attachMcpToolBridge(client, transport, { serverId: "s", ...options }))
    if (message !== "") assert.instanceOf(error, McpBridgeError)
    assert.include(error.message, message)
    assert.strictEqual(listings(peer), requests)
    assert.isTrue(peer.isClosed)
  })

  it("M7: listAllMcpTools gives the tools as listed, within the same bounds", async () => {
    const listed = [tool("a", { annotations: { x: 1 } }), { name: 7 }]
    const { client } = await openPeer({ "tools/list": () => ({ tools: listed }) })
    assert.deepStrictEqual(await listAllMcpTools(client), listed as never)
    assert.include((await rejection(listAllMcpTools(client, undefined, { maxTools: 1 }))).message, "exceeds 1 tools")
    const stop = new AbortController()
    stop.abort()
    await rejection(listAllMcpTools(client, stop.signal))
    await rejection(listAllMcpTools(client, undefined, { maxTools: 0 }))
  })

  it("M6: the SDK compiles and checks nothing of what a server lists and answers", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "nonsense" } }, $ref: "#/nowhere" }
    const { bridge } = await attachPeer({
      "tools/list": () => ({ tools: [tool("odd", { outputSchema, icons: "none", _meta: 7 })] }),
      "tools/call": () => ({ content: [], structuredContent: { n: 1 } })
    })
    assert.strictEqual(bridge.admissions[0]?.status, "ready_output_unchecked")
    assert.deepStrictEqual((await call(bridge, "odd")).value, { n: 1 })
  })

  it("M11: a listing that fails changes nothing", async () => {
    let answer: () => unknown = () => ({ tools: [tool("a"), tool("b")] })
    const { bridge } = await attachPeer({ "tools/list": () => answer(), "tools/call": () => ({ content: [] }) })
    const { admissions, tools } = bridge
    for (const failing of [
      () => ({ tools: [tool("c"), tool("c")] }),
      () => ({ tools: "none" }),
      () => {
        throw new Error("server is sorry")
      }
    ]) {
      answer = failing
      await rejection(bridge.refresh())
      assert.strictEqual(bridge.tools, tools)
      assert.strictEqual(bridge.admissions, admissions)
    }
    assert.isUndefined((await call(bridge, "a")).error)
  })

  it("M12: list_changed sends nothing, however often, and the old tools stay until refresh", async () => {
    let listed = [tool("old")]
    const { bridge, peer } = await attachPeer({
      "tools/list": () => ({ tools: listed }),
      "tools/call": () => ({ content: [] })
    })
    const { tools } = bridge
    listed = [tool("new")]
    const before = peer.received.length
    for (let index = 0; index < 1_000; index++)
      peer.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
    // Comes behind them all.
    await call(bridge, "old")
    assert.strictEqual(peer.received.length, before + 1)
    assert.strictEqual(bridge.tools, tools)
    await bridge.prepareTurn()
    assert.strictEqual(bridge.tools, tools)
    await bridge.refresh()
    assert.deepStrictEqual(names(bridge), ["mcp:s:new"])
  })

  it("M13: refresh always lists; callers at the same time share one listing", async () => {
    const { bridge, peer } = await attachPeer({ "tools/list": () => ({ tools: [tool("a")] }) })
    await bridge.refresh()
    await bridge.refresh()
    assert.strictEqual(listings(peer), 3)
    await Promise.all([bridge.refresh(), bridge.refresh(), bridge.refresh()])
    assert.strictEqual(listings(peer), 4)
  })

  it("M13: a change that is told during a listing leaves the list stale", async () => {
    let during: (() => void) | undefined
    const opened = await attachPeer(
      {
        "tools/list": () => {
          during?.()
          return { tools: [tool("a")] }
        }
      },
      { refresh: "next-turn" }
    )
    const { bridge, peer } = opened
    await bridge.prepareTurn()
    assert.strictEqual(listings(peer), 1)
    during = () => peer.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
    await bridge.refresh()
    during = undefined
    await bridge.prepareTurn()
    assert.strictEqual(listings(peer), 3)
    await bridge.prepareTurn()
    assert.strictEqual(listings(peer), 3)
  })

  it("M14: a tool of before is called by its remote name; what the server says then is the answer", async () => {
    let listed = [tool("old")]
    const { bridge } = await attachPeer({
      "tools/list": () => ({ tools: listed }),
      "tools/call": ({ name }) => {
        if (!listed.some((one) => one.name === name)) throw new Error(`Unknown tool ${name}`)
        return { content: [] }
      }
    })
    const [old] = bridge.tools
    listed = []
    await bridge.refresh()
    assert.deepStrictEqual(names(bridge), [])
    const result: any = await old?.execute({}, { sessionId: "s", runId: "r", toolCallId: "c" })
    assert.include(result.error.message, "Unknown tool old")
    assert.strictEqual(result.error.code, "ERR_PRISM_MCP_TOOL")
  })

  it.effect("M32: with next-turn a list is fetched again once it has expired or changed, and not before", () =>
    Effect.gen(function* () {
      const { client, peer, transport } = yield* Effect.promise(() =>
        openPeer({ "tools/list": () => ({ tools: [tool("a")] }) })
      )
      const set = yield* McpTools.attach(client, transport, {
        serverId: "s",
        refresh: "next-turn",
        listCacheTtlMs: 1_000
      })
      yield* TestClock.adjust(999)
      yield* set.prepareTurn
      assert.strictEqual(listings(peer), 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(set.tools.length, 1)
      yield* set.prepareTurn
      assert.strictEqual(listings(peer), 2)
      peer.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
      yield* Effect.promise(() => client.ping().catch(() => undefined))
      yield* set.prepareTurn
      assert.strictEqual(listings(peer), 3)
    }).pipe(Effect.scoped)
  )

  it("M32: a refresh before a turn that fails is told, and the tools stay", async () => {
    const told: Array<unknown> = []
    let isBroken = false
    const { bridge, peer } = await attachPeer(
      {
        "tools/list": () => {
          if (isBroken) throw new Error("broken")
          return { tools: [tool("a")] }
        }
      },
      {
        refresh: "next-turn",
        onEvent: (event) => event.type === "mcp_refresh_failed" && told.push(event.error.message)
      }
    )
    isBroken = true
    peer.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
    await new Promise((resolve) => setImmediate(resolve))
    await bridge.prepareTurn()
    assert.deepStrictEqual(told, ["broken"])
    assert.deepStrictEqual(names(bridge), ["mcp:s:a"])
  })

  it("M24: a listing in flight at close rejects and brings no tools back", async () => {
    let answer: () => unknown = () => ({ tools: [tool("a")] })
    const { bridge } = await attachPeer({ "tools/list": () => answer() })
    answer = () => silence
    const refreshing = rejection(bridge.refresh())
    await bridge.close()
    assert.instanceOf(await refreshing, McpBridgeClosedError)
    assert.throws(() => bridge.tools, McpBridgeClosedError)
  })

  it("M4: a listing that times out rejects with the SDK's own error, everything closed", async () => {
    const { client, peer, transport } = await openPeer({ "tools/list": () => silence })
    const error = await rejection(attachMcpToolBridge(client, transport, { serverId: "s", callTimeoutMs: 20 }))
    assert.strictEqual(error.name, "SdkError")
    assert.isTrue(peer.isClosed)
  })
})
