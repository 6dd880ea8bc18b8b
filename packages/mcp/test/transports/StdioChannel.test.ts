import { connectMcpTools } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { rejection } from "../fixtures/rejection.ts"
import { isAlive, stdioServer } from "../fixtures/stdio.ts"
import { StdioChannel } from "../../src/transports/stdio.ts"

const script = (code: string) => ({ type: "stdio", command: process.execPath, args: ["-e", code] }) as const

describe("StdioChannel", () => {
  it("M18: a message without an end is not kept for ever: it ends the connection", { timeout: 30_000 }, async () => {
    const endless = script(
      'const more = () => process.stdout.write("x".repeat(1_000_000), more); more(); setInterval(() => {}, 1000)'
    )
    const error = await rejection(connectMcpTools({ serverId: "s", transport: endless }))
    assert.strictEqual(error.message, "MCP server sent a message of more than 34603008 bytes")
  })

  it("M21: messages that a child does not read are refused once they are many", { timeout: 30_000 }, async () => {
    const channel = new StdioChannel(script("setInterval(() => {}, 1000)"))
    await channel.start()
    const sent: Array<Promise<unknown>> = []
    for (let at = 0; at < 20; at++)
      sent.push(channel.send({ text: "x".repeat(1_000_000) }).catch((error: Error) => error.message))
    assert.strictEqual(await sent.at(-1), "MCP server leaves more than 16777216 bytes unread")
    await channel.close()
    // Nothing that was sent is waited for any more.
    await Promise.all(sent)
  })

  it("M21: a message that finds the pipe broken says how the child ended", async () => {
    const code = `
      const { closeSync, writeSync } = require("node:fs")
      closeSync(0)
      writeSync(1, '{"jsonrpc":"2.0","method":"ready"}\\n')
      setTimeout(() => (writeSync(2, "disk is full"), process.exit(9)), 200)`
    const channel = new StdioChannel(script(code))
    const ready = new Promise<void>((resolve) => void Object.assign(channel, { onmessage: () => resolve() }))
    await channel.start()
    await ready
    const { message } = await rejection(channel.send({}))
    assert.strictEqual(message, "MCP server exited with code 9; stderr: disk is full")
  })

  it("M24: close tells at once, and settles when the child is gone", async () => {
    const channel = new StdioChannel(stdioServer("stubborn"))
    await channel.start()
    const { pid = 0 } = channel
    let told = 0
    Object.assign(channel, { onclose: () => told++ })
    const closing = channel.close()
    assert.strictEqual(told, 1)
    assert.isTrue(isAlive(pid))
    assert.match((await rejection(channel.send({}))).message, /was closed/)
    await closing
    assert.isFalse(isAlive(pid))
    assert.strictEqual(told, 1)
    assert.match((await rejection(channel.start())).message, /started already/)
  })

  it("M22: reads messages however they are cut, and answers under foreign ids not at all", async () => {
    const code = `
      const bytes = Buffer.from(JSON.stringify({ jsonrpc: "2.0", method: "n", params: { text: "é😀\\u2028" } }) + "\\r\\n")
      for (const id of ["0", "", "7"]) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: {} }) + "\\n")
      let at = 0
      const next = () => at < bytes.length ? process.stdout.write(bytes.subarray(at, ++at), () => setImmediate(next)) : process.exit()
      next()`
    const channel = new StdioChannel(script(code))
    const seen: Array<unknown> = []
    const closed = new Promise<void>((resolve) => {
      Object.assign(channel, { onmessage: (message: unknown) => seen.push(message), onclose: resolve })
    })
    await channel.start()
    await closed
    assert.deepStrictEqual(seen, [{ jsonrpc: "2.0", method: "n", params: { text: "é😀\u2028" } }])
    assert.strictEqual(channel.ignoredLines, 3)
    assert.strictEqual(channel.endReason, "MCP server exited with code 0")
  })
})
