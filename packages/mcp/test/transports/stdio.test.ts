import { connectMcpTools, type McpEvent } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import process from "node:process"
import { call } from "../fixtures/peer.ts"
import { rejection } from "../fixtures/rejection.ts"
import { eventually, isAlive, stdioServer } from "../fixtures/stdio.ts"
import { StdioChannel } from "../../src/transports/stdio.ts"

const connect = (mode: string, options = {}, detail = "") =>
  connectMcpTools({ serverId: "s", transport: stdioServer(mode, detail), ...options })

const listeners = () => ["exit", "SIGINT", "SIGTERM", "SIGHUP"].map((name) => process.listenerCount(name))

describe("a stdio server", () => {
  it("M3: is the program that is named, and no other; an unknown transport is refused", async () => {
    const missing = await rejection(
      connectMcpTools({ serverId: "s", transport: { type: "stdio", command: "/nonexistent/server" } })
    )
    assert.strictEqual((missing as NodeJS.ErrnoException).code, "ENOENT")
    for (const transport of [
      { type: "websocket" },
      undefined,
      { type: "stdio", command: "" },
      { type: "stdio", command: "x", args: "y" }
    ]) {
      const error = await rejection(connectMcpTools({ serverId: "s", transport: transport as never }))
      assert.strictEqual(error.name, "McpBridgeError")
    }
  })

  it("M4: that ends while it is connected to is told of with its last words", async () => {
    const before = listeners()
    const error = await rejection(connect("exit", {}, "no licence"))
    assert.strictEqual(error.name, "McpBridgeError")
    assert.strictEqual(error.message, "MCP server exited with code 7; stderr: no licence")
    assert.deepStrictEqual(listeners(), before)
  })

  it("M4: that cannot be opened is told of with what it said aside, once", async () => {
    const events: Array<McpEvent> = []
    const code = `process.stderr.write("no licence"); console.log("hello"); process.stdin.once("data", () =>
      console.log('{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"not today"}}'))`
    const transport = { type: "stdio", command: process.execPath, args: ["-e", code] } as const
    const onEvent = (event: McpEvent): void => void events.push(event)
    const error = await rejection(connectMcpTools({ serverId: "s", transport, onEvent }))
    assert.strictEqual(error.message, "not today")
    const [{ error: told, ...event } = {}, ...others] = events as ReadonlyArray<any>
    assert.deepStrictEqual(event, { type: "mcp_open_failed", serverId: "s", ignored: 1, stderr: "no licence" })
    assert.strictEqual(told.message, "not today")
    assert.deepStrictEqual(others, [])
  })

  it("M4: that does not answer is ended, not left behind", async () => {
    const channels: Array<number | undefined> = []
    const { start } = StdioChannel.prototype
    StdioChannel.prototype.start = async function (this: StdioChannel) {
      await start.call(this)
      channels.push(this.pid)
    }
    try {
      const error = await rejection(connect("mute", { callTimeoutMs: 100 }))
      assert.match(error.message, /timed out/i)
    } finally {
      StdioChannel.prototype.start = start
    }
    const [pid] = channels
    assert.isDefined(pid)
    assert.isFalse(isAlive(pid ?? 0))
  })

  it("M5: is not started under a signal that is aborted, and ended when it aborts on the way", async () => {
    const reason = new Error("stop")
    const transport = { type: "stdio", command: "/nonexistent" } as const
    assert.strictEqual(
      await rejection(connectMcpTools({ serverId: "s", transport, signal: AbortSignal.abort(reason) })),
      reason
    )
    const stop = new AbortController()
    const connecting = rejection(connect("mute", { signal: stop.signal }))
    setTimeout(() => stop.abort(reason), 100)
    assert.strictEqual(await connecting, reason)
  })

  it("M5: outlives the signal once it is connected", async () => {
    const stop = new AbortController()
    const bridge = await connect("plain", { signal: stop.signal })
    stop.abort()
    assert.isUndefined((await call(bridge, "echo")).error)
    await bridge.close()
  })

  it("is told of with its name, versions and last words, which stay when it is closed", async () => {
    const bridge = await connect("family")
    await eventually(() => bridge.health.stderr?.endsWith("\n") === true)
    const { server, stderr } = bridge.health
    assert.deepInclude(server, { name: "faulty", version: "1" })
    assert.match(server?.protocolVersion ?? "", /^\d{4}-\d\d-\d\d$/)
    assert.match(stderr ?? "", /^child \d+\n$/)
    await bridge.close()
    assert.strictEqual(bridge.health.stderr, stderr)
  })

  it("M21: may print what it likes: lines that are no messages are counted and ignored", async () => {
    const bridge = await connect("noisy")
    assert.strictEqual(bridge.health.ignored, 3)
    assert.strictEqual((await call(bridge, "malformed", { text: "still here" })).content[0].text, "still here")
    assert.isAtLeast(bridge.health.ignored, 8)
    await bridge.close()
  })

  it("M21: that dies settles its calls at once, with code and last words", async () => {
    const bridge = await connect("last-words")
    const waiting = call(bridge, "hang")
    const start = performance.now()
    const { error } = await call(bridge, "die")
    assert.match(error.message, /^MCP server exited with code 9; stderr: /)
    assert.match(error.message, /disk is full$/)
    assert.isAtMost(Buffer.byteLength(error.message), 8_192)
    assert.strictEqual((await waiting).error.message, error.message)
    assert.strictEqual((await call(bridge, "echo")).error.message, error.message)
    assert.isBelow(performance.now() - start, 2_000)
    assert.strictEqual(bridge.health.state, "lost")
    await bridge.close()
  })

  it("M21: with reconnect the next call opens a new connection; the one that may have run is not sent again", async () => {
    const events: Array<McpEvent> = []
    const bridge = await connect("plain", { reconnect: true, onEvent: (event: McpEvent) => events.push(event) })
    assert.match((await call(bridge, "die")).error.message, /exited with code 3/)
    assert.strictEqual((await call(bridge, "echo", { text: "back" })).content[0].text, "back")
    assert.strictEqual(bridge.health.reconnects, 1)
    assert.deepStrictEqual(
      events.flatMap((event) => (event.type === "mcp_connection" ? [event.state] : [])),
      ["ready", "lost", "reconnecting", "ready"]
    )
    await bridge.close()
  })

  it("M18: with reconnect a timeout ends the connection, and the next call opens another", async () => {
    const bridge = await connect("plain", { reconnect: true, callTimeoutMs: 2_500 })
    assert.match((await call(bridge, "hang")).error.message, /timed out after 2500ms/)
    assert.isAbove(bridge.tools.length, 0)
    assert.isUndefined((await call(bridge, "echo")).error)
    await bridge.close()
  }, 10_000)

  it("M25: ends by the end of its input, and no listener stays behind", async () => {
    const before = listeners()
    const bridges = await Promise.all([connect("plain"), connect("plain")])
    assert.deepStrictEqual(
      listeners(),
      before.map((count) => count + 1)
    )
    const start = performance.now()
    for (const bridge of bridges) {
      await bridge.close()
      await bridge.close()
    }
    assert.isBelow(performance.now() - start, 900)
    assert.deepStrictEqual(listeners(), before)
  })

  it.each(["family", "stubborn"])("M25: close ends the whole tree: %s", async (mode) => {
    const bridge = await connect(mode)
    const { child, pid } = JSON.parse((await call(bridge, "echo")).content[0].text)
    assert.isTrue(isAlive(pid) && isAlive(child))
    const pending = call(bridge, "hang")
    await pending
    await bridge.close()
    await eventually(() => !isAlive(pid) && !isAlive(child))
  })

  it("M25: what a dead server has started dies with it", async () => {
    const bridge = await connect("family")
    const { child, pid } = JSON.parse((await call(bridge, "echo")).content[0].text)
    process.kill(pid, "SIGKILL")
    await eventually(() => bridge.health.state === "lost" && !isAlive(child))
    assert.match((await call(bridge, "echo")).error.message, /ended by SIGKILL/)
    await bridge.close()
  })

  it("M25: its environment holds none of the host's secrets", async () => {
    process.env["PRISM_TEST_SECRET"] = "s3cret"
    try {
      const script =
        "process.stderr.write(JSON.stringify(Object.keys(process.env).toSorted()) + String(process.env.GIVEN)); process.exit(1)"
      const error = await rejection(
        connectMcpTools({
          serverId: "s",
          transport: { type: "stdio", command: process.execPath, args: ["-e", script], env: { GIVEN: "yes" } }
        })
      )
      assert.notInclude(error.message, "PRISM_TEST_SECRET")
      assert.include(error.message, "yes")
    } finally {
      delete process.env["PRISM_TEST_SECRET"]
    }
  })
})
