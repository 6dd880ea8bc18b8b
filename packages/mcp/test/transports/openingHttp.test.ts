import type { ServerResponse } from "node:http"
import { connectMcpTools, type McpEvent, type McpStreamableHttpTransport } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { withServer } from "../fixtures/httpServer.ts"
import { rejection } from "../fixtures/rejection.ts"
import { eventually } from "../fixtures/stdio.ts"

const connect = (transport: McpStreamableHttpTransport, options = {}) =>
  connectMcpTools({ serverId: "s", transport, callTimeoutMs: 3_000, ...options })

describe("a connection over HTTP", () => {
  it("M19: is opened within callTimeoutMs, also by a server that takes no notice of the end of the handshake", () => {
    let held: ServerResponse | undefined
    return withServer(
      {
        respond: ({ message, response }) => {
          if (message?.method !== "notifications/initialized") return false
          held = response
          return true
        }
      },
      async (server) => {
        const error = await rejection(connect(server.transport(), { callTimeoutMs: 300 }))
        assert.match(error.message, /timed out/)
        await eventually(() => held?.destroyed === true)
      }
    )
  })

  it("M4: that is refused in many words is told of in 8192 bytes", () =>
    withServer(
      {
        respond: ({ message, response }) => {
          const error = { code: -32_603, message: "no".repeat(100_000) }
          response.writeHead(200, { "content-type": "application/json" })
          response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, error }))
          return true
        }
      },
      async (server) => {
        const events: Array<McpEvent> = []
        await rejection(connect(server.transport(), { onEvent: (event: McpEvent) => void events.push(event) }))
        const [event] = events as ReadonlyArray<any>
        assert.strictEqual(event.type, "mcp_open_failed")
        assert.strictEqual(event.error.message, "no".repeat(4_096))
        assert.isAtMost(Buffer.byteLength(JSON.stringify(event)), 3 * 8_192)
      }
    ))
})
