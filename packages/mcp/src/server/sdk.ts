/** The only module that imports the official SDK's server. */
import {
  type AuthInfo,
  Server as SdkServer,
  WebStandardStreamableHTTPServerTransport,
  type Transport
} from "@modelcontextprotocol/server"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import type { Readable, Writable } from "node:stream"
import type { JsonObject } from "@arnilo/prism-core"
import type { ClientProgress } from "./relayToClient.ts"
import type { McpCallAnswer } from "./toCallAnswer.ts"

/** What carries the messages of one client: the SDK's own, or one like it. */
export type ServerTransport = Transport

/** What a client is told of one tool. */
export interface McpToolDefinition {
  readonly name: string
  readonly description?: string
  readonly inputSchema: object
}

export interface McpCall {
  readonly name: string
  /** As received: whoever dispatches judges it. */
  readonly args: unknown
  /** Aborts when the client cancels or its connection ends. */
  readonly signal: AbortSignal
  /** Absent where the client did not ask for it. */
  /** Of who sent the request, where its transport tells it. */
  readonly metadata: JsonObject | undefined
  readonly progress: ((told: ClientProgress) => void) | undefined
}

export interface McpHandlers {
  readonly info: { readonly name: string; readonly version: string }
  readonly list: () => ReadonlyArray<McpToolDefinition>
  readonly call: (call: McpCall) => Promise<McpCallAnswer>
}

/** One connection of one client. */
export interface McpConnection {
  /** Idempotent. */
  readonly close: () => Promise<void>
  /** Settles when either side has closed. */
  readonly ended: Promise<void>
}

export const connectServer = async (
  { call, info, list }: McpHandlers,
  transport: ServerTransport
): Promise<McpConnection> => {
  const server = new SdkServer({ ...info }, { capabilities: { tools: {} } })
  const ended = new Promise<void>((resolve) => Object.assign(server, { onclose: resolve }))
  server.setRequestHandler("tools/list", () => ({ tools: [...list()] }) as never)
  server.setRequestHandler("tools/call", ({ params: { arguments: args = {}, name } }, { http, mcpReq }) => {
    const { _meta: { progressToken } = {}, signal } = mcpReq
    const progress: McpCall["progress"] =
      progressToken === undefined
        ? undefined
        : (told) => {
            const params = { progressToken, ...told }
            // A client that has gone is told nothing.
            void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined)
          }
    const metadata = http?.authInfo?.extra?.[METADATA] as JsonObject | undefined
    return call({ name, args, signal, metadata, progress }) as never
  })
  await server.connect(transport)
  return { close: () => server.close(), ended }
}

/** Messages as lines. Ends with the input. */
export const stdioTransport = (stdin: Readable, stdout: Writable, maxMessageBytes: number): ServerTransport =>
  new StdioServerTransport(stdin, stdout, { maxBufferSize: maxMessageBytes })

/** Where the SDK carries it from a request to its calls. */
const METADATA = "@arnilo/prism-mcp"

export interface HttpSessionTransport extends ServerTransport {
  handleRequest(request: Request, options: { readonly authInfo: AuthInfo }): Promise<Response>
}

/** Who sends a request, as the SDK hands it to the calls of that request and to no other. */
export const authInfoOf = (id: string, metadata: JsonObject | undefined): AuthInfo => ({
  token: "",
  clientId: id,
  scopes: [],
  extra: { [METADATA]: metadata }
})

/** One session over Streamable HTTP. `sessionId` is given once it is initialized. */
export const httpTransport = (options: {
  readonly sessionId: string
  readonly maxRequestBytes: number
  readonly onInitialized: () => void
  readonly onDeleted: () => void
}): HttpSessionTransport =>
  new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => options.sessionId,
    onsessioninitialized: options.onInitialized,
    onsessionclosed: options.onDeleted,
    maxRequestBodySize: options.maxRequestBytes
  })
