import { InMemoryTransport } from "@modelcontextprotocol/client"
import type { PermissionDecision } from "@arnilo/prism-core"
import { createPrismMcpServer } from "@arnilo/prism-mcp/server"
import { assert, describe, it, vi } from "@effect/vitest"
import { watchedTools } from "./fixture.ts"

describe("ToolWork", () => {
  it("begins no tool whose permission comes after its call was given up and its place was free", async () => {
    const watched = watchedTools()
    const permits: Array<() => void> = []
    const check = () => new Promise<PermissionDecision>((resolve) => permits.push(() => resolve({ allowed: true })))
    const limits = { callTimeoutMs: 50, toolConcurrency: 1 }
    const server = createPrismMcpServer({
      name: "n",
      version: "1",
      tools: watched.tools,
      permission: { check },
      ...limits
    })
    const [near, far] = InMemoryTransport.createLinkedPair()
    const heard: Array<unknown> = []
    Object.assign(near, { onmessage: (message: unknown) => heard.push(message) })
    await near.start()
    await server.connect(far)
    for (const id of [1, 2]) {
      await near.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "hang" } })
      await vi.waitFor(() => assert.strictEqual(heard.length, id))
    }
    assert.strictEqual(permits.length, 2)
    for (const permit of permits) permit()
    await new Promise(setImmediate)
    assert.strictEqual(watched.hung, 0)
    await server.close()
  })
})
