/** The only module that imports the official SDK's server. */
import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server as SdkServer,
  type Transport,
  type TransportSendOptions,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import type { Readable, Writable } from "node:stream"
import type { JsonObject } from "@arnilo/prism-core"
import { boundText } from "../boundText.ts"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpFixedLimits } from "../McpLimits.ts"
import { refusal } from "./httpGuard.ts"
import { type OpenRequest, OpenRequests, type RequestId } from "./OpenRequests.ts"
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

/** Whose call it is: what permission policies, tools and the ledger are told. */
export interface Caller {
  /** Of the connection, of the session over HTTP, or of the one request where the protocol has no sessions. */
  readonly sessionId: string
  readonly metadata: JsonObject | undefined
}

export interface McpCall {
  /** Of a tool that was listed. */
  readonly name: string
  /** As received: whoever dispatches judges it. */
  readonly args: unknown
  readonly caller: Caller
  /** Aborts when the client cancels or its connection ends. */
  readonly signal: AbortSignal
  /** Absent where the client did not ask for it. Settles when it has been written; rejects where the client has gone. */
  readonly progress: ((told: ClientProgress) => Promise<void>) | undefined
}

export interface McpHandlers {
  readonly info: { readonly name: string; readonly version: string }
  readonly tools: ReadonlyMap<string, McpToolDefinition>
  readonly call: (call: McpCall) => Promise<McpCallAnswer>
}

/** One connection of one client. */
export interface McpConnection {
  /** Rejects where the transport cannot be started. */
  readonly started: Promise<void>
  /** Idempotent. */
  readonly close: () => Promise<void>
  /** Settles when either side has closed. */
  readonly ended: Promise<void>
}

const { chunkBytes, remoteTextBytes, unreadBytes } = McpFixedLimits

/** `metadata` of the request goes before that of the caller. */
const makeServer = ({ call, info, tools }: McpHandlers, { metadata, sessionId }: Caller): SdkServer => {
  const server = new SdkServer({ ...info }, { capabilities: { tools: {} } })
  server.setRequestHandler("tools/list", () => ({ tools: [...tools.values()] }) as never)
  server.setRequestHandler("tools/call", ({ params: { arguments: args = {}, name } }, { http, mcpReq }) => {
    if (!tools.has(name)) {
      const message = `Unknown tool: ${boundText(name, remoteTextBytes.hardCap)}`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    }
    const { _meta: { progressToken } = {}, signal } = mcpReq
    const caller = { sessionId, metadata: metadataOf(http?.authInfo) ?? metadata }
    const progress: McpCall["progress"] =
      progressToken === undefined
        ? undefined
        : (told) => mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...told } })
    return call({ name, args, caller, signal, progress }) as never
  })
  return server
}

/** Serves whatever speaks over the transport, in protocols with and without a handshake. */
export const serveTransport = (handlers: McpHandlers, transport: ServerTransport, caller: Caller): McpConnection => {
  const requests = new OpenRequests()
  const own = transport.onclose?.bind(transport)
  const send = transport.send.bind(transport)
  const start = transport.start.bind(transport)
  let started: Promise<void> | undefined
  const ended = new Promise<void>((resolve) => {
    Object.assign(transport, {
      send: (message: JSONRPCMessage, options?: TransportSendOptions) => {
        requests.answered(message)
        return send(message, options)
      },
      // The entry has set what it hears by then, and nothing was heard before.
      start: () => {
        const { onclose, onmessage } = transport
        Object.assign(transport, {
          onclose: () => {
            onclose?.()
            own?.()
            resolve()
          },
          onmessage: (message: JSONRPCMessage, extra?: never) => {
            if (requests.begin(message) === undefined) {
              send(errorOf((message as JSONRPCRequest).id, ID_IN_USE)).catch(() => undefined)
              return
            }
            requests.whenCancelled(message, (request) => requests.end(request))
            onmessage?.(message, extra)
          }
        })
        started = start()
        return started
      }
    })
  })
  const entry = serveStdio(() => makeServer(handlers, caller), { transport, maxSubscriptions: NONE })
  return { started: Promise.resolve(started), ended, close: () => entry.close() }
}

const ID_IN_USE = "Request id is in use"

const errorOf = (id: RequestId, message: string): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: ProtocolErrorCode.InvalidRequest, message }
})

/** There is nothing to subscribe to: what is exposed does not change. */
const NONE = 0

/**
 * Messages as lines. The end of the input, and a line of more than `maxMessageBytes`, end the connection. While the client
 * leaves more than `unreadBytes` unread, nothing more is read of it.
 */
export const stdioTransport = (stdin: Readable, stdout: Writable, maxMessageBytes: number): ServerTransport => {
  let isClosed = false
  const send = (message: JSONRPCMessage): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new McpBridgeError("MCP connection was closed"))
      const hasRoom = stdout.write(`${JSON.stringify(message)}\n`, (error) => {
        if (!isClosed && stdin.isPaused() && stdout.writableLength <= unreadBytes.hardCap) stdin.resume()
        if (error) reject(error)
        else resolve()
      })
      // Who tells progress waits for who reads slowly; with an answer the SDK would keep waiting what was read already.
      if (hasRoom || !("method" in message)) resolve()
      if (stdout.writableLength > unreadBytes.hardCap) stdin.pause()
    })
  // What came together with the end of a message counts, too.
  const maxBufferSize = maxMessageBytes + chunkBytes.hardCap
  return Object.assign(new StdioServerTransport(stdin, stdout, { maxBufferSize }), {
    // Of its own it would leave a listener for every message that is on its way.
    send,
    // Nobody reads on: who still writes has to hear of it, and the process has nothing to wait for.
    onclose: () => {
      isClosed = true
      stdin.destroy()
    }
  })
}

/** Answers a request whose body was read and parsed. */
export type AnswerRequest = (request: Request, body: unknown, authInfo: AuthInfo) => Promise<Response>

/** Who sends a request, as the SDK hands it to the calls of that request and to no other. */
export const authInfoOf = (id: string, metadata: JsonObject | undefined): AuthInfo => ({
  token: "",
  clientId: id,
  scopes: [],
  extra: { [METADATA]: metadata }
})

/** Where the SDK carries it from a request to its calls. */
const METADATA = "@arnilo/prism-mcp"

const metadataOf = (authInfo: AuthInfo | undefined) => authInfo?.extra?.[METADATA] as JsonObject | undefined

/** Whether a request is of a protocol that has sessions: 2025-11-25 and before. */
export const wantsSession: (request: Request, body: unknown) => Promise<boolean> = isLegacyRequest

export { isInitializeRequest as isInitialize }

/** Requests of protocols without sessions: one server for each. */
export const serveSessionless = (handlers: McpHandlers, newCaller: () => Caller) => {
  const { close, fetch } = createMcpHandler(() => makeServer(handlers, newCaller()), {
    legacy: "reject",
    maxSubscriptions: NONE
  })
  const answer: AnswerRequest = (request, parsedBody, authInfo) => fetch(request, { parsedBody, authInfo })
  return { answer, close }
}

/** A session that has not begun: its transport answers nothing but an `initialize` before. */
export const serveSession = async (
  handlers: McpHandlers,
  caller: Caller,
  session: { readonly id: string; readonly onBegun: () => void; readonly onEnded: () => void }
) => {
  const requests = new OpenRequests()
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => session.id,
    onsessioninitialized: session.onBegun
  })
  const send = transport.send.bind(transport)
  Object.assign(transport, {
    send: (message: JSONRPCMessage, options?: Parameters<typeof send>[1]) => {
      requests.answered(message)
      return send(message, options)
    }
  })
  const server = Object.assign(makeServer(handlers, caller), { onclose: session.onEnded })
  await server.connect(transport)
  /** The SDK would keep the response open for an answer that never comes. Other answers of a batch are still to come. */
  const onCancelled = ({ id, isAlone }: OpenRequest): void => {
    if (isAlone) transport.closeSSEStream(id)
    transport.send(errorOf(id, "The request was cancelled")).catch(() => undefined)
  }
  const answer: AnswerRequest = async (request, parsedBody, authInfo) => {
    const begun = requests.begin(parsedBody)
    if (begun === undefined) return refusal(400, ID_IN_USE, ProtocolErrorCode.InvalidRequest)
    requests.whenCancelled(parsedBody, onCancelled)
    const response = await transport.handleRequest(request, { parsedBody, authInfo })
    // Refused as a whole: nobody was asked.
    if (response.status !== 200) for (const one of begun) requests.end(one)
    return response
  }
  return { answer, close: () => server.close() }
}
