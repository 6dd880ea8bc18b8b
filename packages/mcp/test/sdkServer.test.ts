import { Client, InMemoryTransport } from "@modelcontextprotocol/client"
import { fromJsonSchema, McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { attachMcpToolBridge, connectMcpTools, type McpToolBridge } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { call } from "./fixtures/peer.ts"

const numbers = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"]
} as const

const makeServer = (): McpServer => {
  const server = new McpServer({ name: "sums", version: "1" }, { capabilities: { tools: { listChanged: true } } })
  server.registerTool(
    "add",
    {
      description: "Adds",
      inputSchema: fromJsonSchema<{ a: number; b: number }>(numbers as never),
      outputSchema: fromJsonSchema({
        type: "object",
        properties: { sum: { type: "number" } },
        required: ["sum"]
      })
    },
    async ({ a, b }, { mcpReq }) => {
      const progressToken = (mcpReq["_meta"] as { progressToken?: number } | undefined)?.progressToken
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } })
      }
      return { content: [{ type: "text", text: String(a + b) }], structuredContent: { sum: a + b } }
    }
  )
  return server
}

const use = async (bridge: McpToolBridge): Promise<void> => {
  assert.deepInclude(bridge.admissions[0], { remoteName: "add", status: "ready" })
  const told: Array<unknown> = []
  const progress = (note: unknown): void => void told.push(note)
  const results = await Promise.all(
    Array.from({ length: 24 }, (_, a) => call(bridge, "add", { a, b: 1 }, { progress }))
  )
  assert.deepStrictEqual(
    results.map(({ value }) => value.sum),
    Array.from({ length: 24 }, (_, a) => a + 1)
  )
  assert.deepStrictEqual(
    told,
    Array.from({ length: 24 }, () => ({ progress: 1, total: 2 }))
  )
  assert.match((await call(bridge, "add", { a: "x" })).error.message, /a/)
}

describe("a server of the official SDK", () => {
  it("M15: is used in memory", async () => {
    const [near, far] = InMemoryTransport.createLinkedPair()
    const server = makeServer()
    await server.connect(far)
    const client = new Client({ name: "host", version: "1" })
    await client.connect(near)
    const bridge = await attachMcpToolBridge(client, near, { serverId: "sums" })
    await use(bridge)
    server.registerTool("late", {}, () => ({ content: [] }))
    await bridge.refresh()
    assert.strictEqual(bridge.tools.length, 2)
    await bridge.close()
  })

  it.each([true, false])("M15: is used over Streamable HTTP, with answers in JSON: %s", async (enableJsonResponse) => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      enableJsonResponse
    })
    await makeServer().connect(transport)
    const server = createServer((request, response) => {
      void (async () => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const body = Buffer.concat(chunks)
        const answer = await transport.handleRequest(
          new Request(`http://127.0.0.1${request.url}`, {
            method: request.method ?? "GET",
            headers: request.headers as Record<string, string>,
            ...(body.length > 0 && { body })
          })
        )
        response.writeHead(answer.status, Object.fromEntries(answer.headers))
        response.flushHeaders()
        for await (const chunk of answer.body ?? []) response.write(chunk)
        response.end()
      })()
    })
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve)
    })
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const bridge = await connectMcpTools({
      serverId: "sums",
      transport: { type: "streamable-http", url: `${origin}/mcp`, allowedOrigins: [origin], allowLoopbackHttp: true }
    })
    if (enableJsonResponse) assert.deepStrictEqual((await call(bridge, "add", { a: 1, b: 2 })).value, { sum: 3 })
    else await use(bridge)
    await bridge.close()
    server.closeAllConnections()
    server.close()
  })
})
