import { spawn } from "node:child_process"
import { once } from "node:events"
import { PassThrough } from "node:stream"
import { connectMcpTools } from "@arnilo/prism-mcp"
import { createPrismMcpServer } from "@arnilo/prism-mcp/server"
import { assert, describe, it, vi } from "@effect/vitest"
import { stdioFixture } from "../fixtures/stdio.ts"
import { watchedTools } from "./fixture.ts"

describe("serveStdio", () => {
  it.each([
    ["its input ends", undefined],
    ["a line is too long", "x".repeat(5_000_000)]
  ])(
    "lets its process end when %s",
    async (_, line) => {
      const { args = [], command } = stdioFixture("prismServer.ts")
      const child = spawn(command, args, { stdio: ["pipe", "ignore", "inherit"] })
      child.stdin.on("error", () => undefined)
      if (line === undefined) child.stdin.end()
      else child.stdin.write(line)
      assert.deepStrictEqual(await once(child, "exit"), [0, null])
    },
    20_000
  )

  it("serves a child's client and ends with its input", async () => {
    const bridge = await connectMcpTools({ serverId: "child", transport: stdioFixture("prismServer.ts") })
    const [add] = bridge.tools
    const result: any = await add?.execute({ a: 1, b: 1 }, { sessionId: "s", runId: "r", toolCallId: "c" })
    assert.deepStrictEqual(result.value, { sum: 2 })
    assert.strictEqual(bridge.health.ignored, 0)
    await bridge.close()
  })

  it("reads no more of a client that leaves its answers unread, and goes on when it reads", async () => {
    const answer = "x".repeat(3_000_000)
    const echo = (_: object, { toolCallId }: { toolCallId: string }) => ({ toolCallId, name: "big", value: answer })
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [{ name: "big", execute: echo }] })
    const stdin = new PassThrough()
    const stdout = new PassThrough()
    const warnings: Array<Error> = []
    const onWarning = (warning: Error): number => warnings.push(warning)
    process.on("warning", onWarning)
    const served = server.serveStdio({ stdin, stdout })
    const calls = 40
    for (let id = 1; id <= calls; id++) {
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "big" } })}\n`)
      await new Promise(setImmediate)
    }
    await vi.waitFor(() => assert.isTrue(stdin.isPaused()))
    assert.isAbove(stdin.readableLength, 0)
    assert.isBelow(stdout.writableLength, 60_000_000)
    let bytes = 0
    stdout.on("data", (piece: Buffer) => (bytes += piece.length))
    await vi.waitFor(() => assert.isAbove(bytes, calls * answer.length))
    stdin.end()
    await served
    process.off("warning", onWarning)
    assert.deepStrictEqual(warnings, [])
  })

  it("reads no more either where what it refuses is left unread", async () => {
    const tool = { name: "t", description: "x".repeat(1_000_000), execute: () => ({ toolCallId: "", name: "t" }) }
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [tool] })
    const stdin = new PassThrough()
    const served = server.serveStdio({ stdin, stdout: new PassThrough() })
    const claim = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {}
    }
    let id = 0
    const send = async (method: string, params: object = {}): Promise<void> => {
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: id++, method, params: { ...params, _meta: claim } })}\n`)
      await new Promise(setImmediate)
    }
    await send("tools/list")
    await send("subscriptions/listen", { notifications: {} })
    for (let at = 0; at < 30; at++) await send("tools/list")
    assert.isTrue(stdin.isPaused())
    await server.close()
    await served
  })

  it("resolves when its input ends, and writes nothing that is no message", async () => {
    const stdin = new PassThrough()
    const stdout = new PassThrough()
    const server = createPrismMcpServer({ name: "n", version: "1", tools: watchedTools().tools })
    const served = server.serveStdio({ stdin, stdout })
    stdin.write("no message\n")
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`)
    const [line] = await once(stdout, "data")
    assert.strictEqual(JSON.parse(String(line)).id, 1)
    stdin.end()
    await served
  })
})
