import { createPrismMcpServer, type McpHttpHandler, type McpHttpHandlerOptions } from "@arnilo/prism-mcp/server"
import { assert, describe, it } from "@effect/vitest"

const never = () => new Promise<never>(() => undefined)
const endless = (): ReadableStream => new ReadableStream({ pull: never })
const received = (handler: McpHttpHandler, body: ReadableStream, signal = new AbortController().signal) =>
  handler(new Request("http://h/", { method: "POST", headers: { host: "h" }, body, signal, duplex: "half" } as never))

describe("Receiving", () => {
  it.each<[string, McpHttpHandlerOptions["authenticate"]]>([
    ["whose body does not end", "none"],
    ["that is being authenticated", never]
  ])("gives up a request %s when the server closes, and when its client leaves", async (_, authenticate) => {
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [] })
    const handler = server.createHandler({ allowedHosts: ["h"], authenticate })
    const client = new AbortController()
    const left = received(handler, endless(), client.signal)
    const answered = received(handler, endless())
    await new Promise(setImmediate)
    client.abort()
    assert.strictEqual((await left).status, 500)
    await server.close()
    const response = await answered
    assert.strictEqual(response.status, 503)
    assert.include(await response.text(), "MCP server is closed")
  })

  it("waits for nobody who does not let go of a body that is too long", async () => {
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [], maxRequestBytes: 10 })
    const handler = server.createHandler({ allowedHosts: ["h"], authenticate: "none" })
    const start = (controller: ReadableStreamDefaultController): void => controller.enqueue(new Uint8Array(11))
    assert.strictEqual((await received(handler, new ReadableStream({ start, cancel: never }))).status, 413)
    await server.close()
  })
})
