/** Prism's tools for clients of the Model Context Protocol. */
import type { JsonObject, ToolDefinition } from "@arnilo/prism-core"
import process from "node:process"
import type { Readable, Writable } from "node:stream"
import { checkField, checkFields, type Fields, JUDGED, METHOD, OBJECT, withMethod } from "../checkFields.ts"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpServerLimits } from "../McpLimits.ts"
import { resolveLimit } from "../resolveLimits.ts"
import { createHttpEndpoint, type McpHttpHandler, type McpHttpHandlerOptions } from "./createHttpEndpoint.ts"
import { type DispatchGates, ExposedTools } from "./ExposedTools.ts"
import {
  type Caller,
  type McpConnection,
  type McpHandlers,
  type ServerTransport,
  serveTransport,
  stdioTransport
} from "./sdk.ts"

export interface PrismMcpServerOptions extends DispatchGates {
  /** What clients are told of this server. */
  readonly name: string
  readonly version: string
  /** What is exposed: these tools and nothing else. */
  readonly tools: ReadonlyArray<ToolDefinition>
  /** Calls of all clients that run at once: 10 by default, 64 at most. An exclusive tool runs alone. */
  readonly toolConcurrency?: number
  /** Calls that wait for one of these: 100 by default, 10,000 at most. One more is answered with an error. */
  readonly maxWaitingCalls?: number
  /** One call, from its arrival to its answer: 60,000 by default, 1,800,000 at most. */
  readonly callTimeoutMs?: number
  /** One answer: 10,000,000 by default, 16,777,216 at most. */
  readonly maxResultBytes?: number
  /** One message of a client: 4,194,304 by default, 16,777,216 at most. */
  readonly maxRequestBytes?: number
}

const OPTION_FIELDS: Fields<PrismMcpServerOptions> = {
  name: JUDGED,
  version: JUDGED,
  tools: JUDGED,
  toolConcurrency: JUDGED,
  maxWaitingCalls: JUDGED,
  callTimeoutMs: JUDGED,
  maxResultBytes: JUDGED,
  maxRequestBytes: JUDGED,
  permission: withMethod("check"),
  validate: METHOD,
  middleware: OBJECT,
  filter: JUDGED,
  redactor: withMethod("redact"),
  secrets: JUDGED,
  ledger: OBJECT,
  ownership: OBJECT,
  emit: METHOD
}

export interface PrismMcpServer {
  /** Serves the client at the other end of a pair of streams; stdin and stdout by default. Resolves when it has gone. */
  serveStdio(streams?: { readonly stdin?: Readable; readonly stdout?: Writable }): Promise<void>
  /** Serves one client over a transport of the official SDK. Rejects where that cannot be started. */
  connect(transport: ServerTransport, metadata?: JsonObject): Promise<void>
  /** Answers requests of clients over Streamable HTTP. Throws `McpBridgeError` for options that are refused. */
  createHandler(options: McpHttpHandlerOptions): McpHttpHandler
  /** Aborts the calls of all clients and closes their connections. Idempotent, never rejects. */
  close(): Promise<void>
}

/**
 * A server of the given tools. Every call passes the gates that it would pass in a run: middleware, filter, permission,
 * validation (JSON Schema, unless `validate` is given), the tool's own execution policy, redaction, ledger. Throws
 * `McpBridgeError` for options that are refused.
 */
export const createPrismMcpServer = (options: PrismMcpServerOptions): PrismMcpServer => {
  // A gate that is misspelt would be none.
  checkField("MCP options", options, OBJECT)
  checkFields("", options, OPTION_FIELDS)
  const { name, tools, version, ...gates } = options
  for (const [field, value] of Object.entries({ name, version })) {
    if (typeof value !== "string" || value === "") throw new McpBridgeError(`${field} must be a non-empty string`)
  }
  if (!Array.isArray(tools)) throw new McpBridgeError("tools must be a list of tool definitions")
  const limit = (
    field: "toolConcurrency" | "maxWaitingCalls" | "callTimeoutMs" | "maxResultBytes" | "maxRequestBytes"
  ) => resolveLimit(field, options[field], McpServerLimits[field])
  const exposed = new ExposedTools({
    ...gates,
    tools,
    toolConcurrency: limit("toolConcurrency"),
    maxWaitingCalls: limit("maxWaitingCalls"),
    callTimeoutMs: limit("callTimeoutMs"),
    maxResultBytes: limit("maxResultBytes")
  })
  const maxRequestBytes = limit("maxRequestBytes")
  const handlers: McpHandlers = {
    info: { name, version },
    tools: exposed.definitions,
    call: (received) => exposed.call(received)
  }
  /** Connections and endpoints that are open. */
  const open = new Set<{ readonly close: () => Promise<void> }>()
  let isClosed = false
  const assertOpen = (): void => {
    if (isClosed) throw new McpBridgeError("MCP server is closed")
  }

  const serve = async (transport: ServerTransport, metadata?: JsonObject): Promise<McpConnection> => {
    assertOpen()
    const connection = serveTransport(handlers, transport, newCaller(metadata))
    open.add(connection)
    const forget = (): void => void open.delete(connection)
    void connection.ended.then(forget)
    connection.started.catch(forget)
    await connection.started
    return connection
  }

  return {
    serveStdio: async ({ stdin = process.stdin, stdout = process.stdout } = {}) =>
      (await serve(stdioTransport(stdin, stdout, maxRequestBytes))).ended,
    connect: async (transport, metadata) => void (await serve(transport, metadata)),
    createHandler: (http) => {
      assertOpen()
      const endpoint = createHttpEndpoint(http, handlers, { maxRequestBytes, newCaller })
      open.add(endpoint)
      return endpoint.handler
    },
    close: async () => {
      isClosed = true
      await Promise.allSettled(Array.from(open, (one) => one.close()))
    }
  }
}

const newCaller = (metadata?: JsonObject): Caller => ({ sessionId: `mcp-${crypto.randomUUID()}`, metadata })
