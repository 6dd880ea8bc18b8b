/** Tools to expose, and a web-standard handler on a port of this machine. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { ToolDefinition } from "@arnilo/prism-core"
import type { McpStreamableHttpTransport } from "@arnilo/prism-mcp"
import { type McpHttpHandler, toNodeListener } from "@arnilo/prism-mcp/server"

export interface Watched {
  readonly tools: ReadonlyArray<ToolDefinition>
  /** Calls that run now, and how many ran at once at most. */
  running: number
  peak: number
  /** How many calls of `hang` began. */
  hung: number
  /** Why calls of `hang` were given up. */
  readonly aborted: Array<unknown>
  /** Lets calls of `gate` go on. */
  open: () => void
}

const number = { type: "number" }

export const watchedTools = (): Watched => {
  let opened: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    opened = resolve
  })
  const watched: Watched = { tools: [], running: 0, peak: 0, hung: 0, aborted: [], open: () => opened() }
  const head = (toolCallId: string, name: string) => ({ toolCallId, name })
  const tools: ReadonlyArray<ToolDefinition> = [
    {
      name: "math:add",
      description: "Adds",
      parameters: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
      execute: ({ a, b }, { progress, toolCallId }) => {
        void progress?.({ progress: 1, total: 2, message: "adding" })
        return { ...head(toolCallId, "math:add"), value: { sum: Number(a) + Number(b) } }
      }
    },
    {
      name: "show",
      execute: (_, { metadata, toolCallId }) => ({
        ...head(toolCallId, "show"),
        content: [
          { type: "text", text: `for ${String(metadata?.["user"])}` },
          { type: "image", mimeType: "image/png", data: "AAAA" },
          { type: "file", mediaType: "application/zip", data: "BBBB" }
        ] as never
      })
    },
    { name: "fail", execute: () => Promise.reject(new Error("the key is sk-secret-123456")) },
    { name: "long", execute: (_, { toolCallId }) => ({ ...head(toolCallId, "long"), value: "x".repeat(2_000) }) },
    {
      name: "hang",
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          watched.hung += 1
          signal?.addEventListener("abort", () => {
            watched.aborted.push(signal.reason)
            reject(new Error("given up"))
          })
        })
    },
    {
      name: "gate",
      execute: async (_, { toolCallId }) => {
        watched.running += 1
        watched.peak = Math.max(watched.peak, watched.running)
        await gate
        watched.running -= 1
        return { ...head(toolCallId, "gate"), value: "through" }
      }
    },
    {
      name: "alone",
      exclusive: true,
      execute: (_, { toolCallId }) => ({ ...head(toolCallId, "alone"), value: watched.running })
    }
  ]
  return Object.assign(watched, { tools })
}

export interface Served {
  readonly origin: string
  readonly host: string
  readonly transport: McpStreamableHttpTransport
  readonly stop: () => Promise<void>
}

/** `make` gets the host that the server will have. */
export const serveHttp = async (make: (host: string) => McpHttpHandler): Promise<Served> => {
  let handler: McpHttpHandler | undefined
  const server = createServer(
    toNodeListener((request) => handler?.(request) ?? Promise.reject(new Error("too early")))
  ).listen(0, "127.0.0.1")
  await once(server, "listening")
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  handler = make(host)
  const origin = `http://${host}`
  return {
    origin,
    host,
    transport: { type: "streamable-http", url: `${origin}/mcp`, allowedOrigins: [origin], allowLoopbackHttp: true },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}
