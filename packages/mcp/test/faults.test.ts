import { connectMcpTools, type McpToolBridge } from "@arnilo/prism-mcp"
import { afterAll, assert, describe, it } from "@effect/vitest"
import process from "node:process"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { FAULTS } from "./fixtures/faultyTools.ts"
import { startHttpServer } from "./fixtures/httpServer.ts"
import { call } from "./fixtures/peer.ts"
import { stdioServer } from "./fixtures/stdio.ts"

/** Calls over each transport: some hundred by default, more with `PRISM_MCP_FAULT_CALLS`. */
const CALLS = Number(process.env["PRISM_MCP_FAULT_CALLS"] ?? 300)
const CALL_TIMEOUT_MS = 150
const IN_FLIGHT = 8
/** A call, an opened connection, and a machine that is busy. */
const BOUND_MS = 6_000

const SHAPES = [
  null,
  7,
  "text",
  [],
  {},
  { content: {} },
  { content: [null, { type: "text", text: 7 }] },
  { structuredContent: [] }
]

const listeners = () => ["exit", "SIGINT", "SIGTERM", "SIGHUP"].map((name) => process.listenerCount(name))

/** One call: what a well-behaved one answers is its own text; every other is an error. */
const probe = async (bridge: McpToolBridge, index: number): Promise<void> => {
  const fault = FAULTS[index % FAULTS.length] ?? "echo"
  const own = `call ${index}`
  const start = performance.now()
  const result = await call(
    bridge,
    fault,
    { text: own, shape: SHAPES[index % SHAPES.length] },
    { progress: () => undefined }
  )
  assert.isBelow(performance.now() - start, BOUND_MS, fault)
  if (result.error !== undefined) {
    assert.strictEqual(result.error.code, "ERR_PRISM_MCP_TOOL")
    assert.isAtMost(Buffer.byteLength(result.error.message), 8_192)
    assert.notInclude(JSON.stringify(result), "a lie")
    return
  }
  assert.notInclude(["die", "hang", "huge", "refuse"], fault)
  if (fault !== "wrong") assert.deepStrictEqual(result.content, [{ type: "text", text: own }])
}

// The flag counts for contexts that are made from now on.
setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** `IN_FLIGHT` at a time; the heap after the first tenth and at the end, in bytes. */
const probeAll = async (
  bridge: McpToolBridge,
  afterEach = (): void => undefined
): Promise<readonly [number, number]> => {
  const heap = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  let early = 0
  for (let at = 0; at < CALLS; at += IN_FLIGHT) {
    if (early === 0 && at >= CALLS / 10) early = heap()
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, CALLS - at) }, (_, index) => probe(bridge, at + index)))
    afterEach()
  }
  return [early, heap()]
}

/** What the calls may leave behind: far less than the texts of the huge ones come to. */
const HEAP_GROWTH = 8 * 1_048_576

const options = { serverId: "faulty", callTimeoutMs: CALL_TIMEOUT_MS, maxResultBytes: 100_000 }

describe("a server that does everything wrong", () => {
  const uncaught: Array<unknown> = []
  const onUncaught = (error: unknown): void => void uncaught.push(error)
  process.on("unhandledRejection", onUncaught)
  afterAll(() => process.off("unhandledRejection", onUncaught))

  it(
    "M22: over stdio every call settles in its bound as its own, nothing is left behind",
    { timeout: 600_000 },
    async () => {
      const before = listeners()
      // Starting a server has to fit, too.
      const bridge = await connectMcpTools({
        ...options,
        callTimeoutMs: 1_000,
        transport: stdioServer(),
        reconnect: true
      })
      const [early, late] = await probeAll(bridge)
      assert.isBelow(late - early, HEAP_GROWTH)
      assert.isAbove(bridge.health.reconnects, 0)
      await bridge.close()
      assert.deepStrictEqual(listeners(), before)
      assert.deepStrictEqual(uncaught, [])
    }
  )

  it("M22: over HTTP, each call ended by itself", { timeout: 600_000 }, async () => {
    const server = await startHttpServer()
    const bridge = await connectMcpTools({ ...options, transport: server.transport(), onCallFailure: "cancel" })
    const [early, late] = await probeAll(bridge, () => {
      // What the server in this process remembers is not the bridge's.
      server.seen.length = 0
      server.sockets.clear()
    })
    assert.isBelow(late - early, HEAP_GROWTH)
    assert.strictEqual(bridge.health.reconnects, 0)
    await bridge.close()
    await server.close()
    assert.deepStrictEqual(uncaught, [])
  })

  it("M7: that lists without end is given up, whatever it says", async () => {
    const { attachMcpToolBridge } = await import("@arnilo/prism-mcp")
    const { openPeer, tool } = await import("./fixtures/peer.ts")
    let pages = 0
    const { client, peer, transport } = await openPeer({
      "tools/list": () => ({ tools: [tool(`t${pages}`)], nextCursor: `c${pages++}` })
    })
    await attachMcpToolBridge(client, transport, { serverId: "s" }).then(
      () => assert.fail("was not refused"),
      (error: Error) => assert.strictEqual(error.message, "MCP tools/list exceeds 20 pages")
    )
    assert.strictEqual(pages, 20)
    assert.isTrue(peer.isClosed)
  })
})
