/** Streamable HTTP for a server: who may send requests, and the session that each belongs to. */
import type { HostValue, JsonObject } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpFixedLimits, McpServerLimits } from "../McpLimits.ts"
import { resolveLimit } from "../resolveLimits.ts"
import type { Caller } from "./ExposedTools.ts"
import { readBody } from "./readBody.ts"
import {
  authInfoOf,
  type HttpSessionTransport,
  httpTransport,
  type McpConnection,
  type ServerTransport
} from "./sdk.ts"

/** Who sends a request. */
export interface McpPrincipal {
  /** A session is its own: another principal that knows its id gets nothing from it. */
  readonly id: string
  /** For permission policies, tools and the ledger: of each call what its own request was given. */
  readonly metadata?: JsonObject
}

export interface McpHttpHandlerOptions {
  /** Values of the `Host` header that are meant, such as `mcp.example.com` or `localhost:3000`: 1 to 64. */
  readonly allowedHosts: ReadonlyArray<string>
  /** Values of the `Origin` header of browsers that may call. None by default; programs send no such header. */
  readonly allowedOrigins?: ReadonlyArray<string>
  /** Who sends the request; nothing refuses it with 401. `"none"` where everybody who reaches the server may call. */
  readonly authenticate: "none" | ((request: Request) => HostValue<McpPrincipal | undefined>)
  /** Sessions at once: 100 by default, 10,000 at most. */
  readonly maxSessions?: number
  /** After so long without a request a session makes room for another: 600,000 by default, 86,400,000 at most. */
  readonly sessionIdleMs?: number
}

/** Never rejects. */
export type McpHttpHandler = (request: Request) => Promise<Response>

interface Serving {
  readonly serve: (transport: ServerTransport, caller: Caller) => Promise<McpConnection>
  readonly maxRequestBytes: number
}

interface Session {
  readonly principal: string
  readonly transport: HttpSessionTransport
  readonly connection: McpConnection
  usedAt: number
  /** Requests whose answers are not complete. */
  open: number
}

const SESSION_ID = "mcp-session-id"
const ANYBODY: McpPrincipal = { id: "" }

export const createHttpHandler = (options: McpHttpHandlerOptions, serving: Serving): McpHttpHandler => {
  const hosts = listed("allowedHosts", options.allowedHosts, 1)
  const origins = listed("allowedOrigins", options.allowedOrigins ?? [], 0)
  const { authenticate } = options
  if (authenticate !== "none" && typeof authenticate !== "function") {
    throw new McpBridgeError('authenticate must be a function, or "none"')
  }
  const sessions = new Sessions(
    resolveLimit("maxSessions", options.maxSessions, McpServerLimits.maxSessions),
    resolveLimit("sessionIdleMs", options.sessionIdleMs, McpServerLimits.sessionIdleMs),
    serving
  )
  return async (request) => {
    try {
      // Before anything is read of it: a page in a browser may have led a name of its own to this machine.
      if (!hosts.has(request.headers.get("host")?.toLowerCase() ?? "")) return refusal(403, "Host is not allowed")
      const origin = request.headers.get("origin")
      if (origin !== null && !origins.has(origin.toLowerCase())) return refusal(403, "Origin is not allowed")
      const principal: unknown = authenticate === "none" ? ANYBODY : await settle(authenticate(request))
      if (principal === undefined || principal === null) return refusal(401, "Not authenticated")
      if (!isPrincipal(principal)) throw new McpBridgeError("authenticate must name a principal with an id")
      return await sessions.handle(request, principal)
    } catch {
      return refusal(500, "Internal error")
    }
  }
}

/** Without an id all who have none would share their sessions. */
const isPrincipal = (value: unknown): value is McpPrincipal =>
  typeof value === "object" && value !== null && typeof (value as { readonly id?: unknown }).id === "string"

const settle = <A>(value: HostValue<A>): Promise<A> =>
  Effect.isEffect(value) ? Effect.runPromise(value) : Promise.resolve(value)

const listed = (field: string, values: unknown, min: number): ReadonlySet<string> => {
  const { hardCap } = McpFixedLimits.allowedOrigins
  const isList = Array.isArray(values) && values.length >= min && values.length <= hardCap
  if (!isList || !values.every((value) => typeof value === "string" && value !== "" && !value.includes("*"))) {
    throw new McpBridgeError(`${field} must be a list of ${min} to ${hardCap} exact values`)
  }
  return new Set(values.map((value: string) => value.toLowerCase()))
}

const refusal = (status: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, { status })

/** By id, the one that was used last at the end. */
class Sessions {
  readonly #sessions = new Map<string, Session>()
  readonly #max: number
  readonly #idleMs: number
  readonly #serving: Serving
  #beginning = 0

  constructor(max: number, idleMs: number, serving: Serving) {
    this.#max = max
    this.#idleMs = idleMs
    this.#serving = serving
  }

  async handle(request: Request, principal: McpPrincipal): Promise<Response> {
    const id = request.headers.get(SESSION_ID)
    if (id === null) return this.#begin(request, principal)
    const session = this.#sessions.get(id)
    // To anybody else a session of somebody's is none.
    if (session === undefined || session.principal !== principal.id) return refusal(404, "Session not found")
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return this.#answer(session, request, principal)
  }

  async #answer(session: Session, request: Request, { id, metadata }: McpPrincipal): Promise<Response> {
    session.open += 1
    const done = (): void => {
      session.open -= 1
      session.usedAt = Date.now()
    }
    try {
      const authInfo = authInfoOf(id, metadata)
      return whenRead(await session.transport.handleRequest(request, { authInfo }), done)
    } catch (error) {
      done()
      throw error
    }
  }

  /** The transport answers what is no `initialize` with an error; the session is kept only once it is one. */
  async #begin(request: Request, principal: McpPrincipal): Promise<Response> {
    if (request.method !== "POST") return refusal(400, "Session id is missing")
    const { maxRequestBytes } = this.#serving
    // Read before a place is taken: a client that sends slowly, or never ends, keeps nobody else out.
    const body = await readBody(request, maxRequestBytes)
    if (body === undefined) return refusal(413, `The request exceeds ${maxRequestBytes} bytes`)
    if (!this.#hasRoom()) return refusal(503, `More than ${this.#max} sessions are open: try again later`)
    this.#beginning += 1
    try {
      const sessionId = crypto.randomUUID()
      let isKept = false
      const transport = httpTransport({
        sessionId,
        maxRequestBytes,
        onInitialized: () => {
          isKept = true
          this.#sessions.set(sessionId, session)
        },
        onDeleted: () => void this.#sessions.delete(sessionId)
      })
      const connection = await this.#serving.serve(transport, {
        sessionId: `mcp-${sessionId}`,
        metadata: undefined
      })
      const session: Session = { principal: principal.id, transport, connection, usedAt: Date.now(), open: 0 }
      void connection.ended.then(() => this.#sessions.delete(sessionId))
      const read = new Request(request.url, { method: "POST", headers: request.headers, body })
      const response = await this.#answer(session, read, principal)
      if (!isKept) await connection.close()
      return response
    } finally {
      this.#beginning -= 1
    }
  }

  /** Makes room by ending the session that has been idle longest, where that is long enough. */
  #hasRoom(): boolean {
    if (this.#sessions.size + this.#beginning < this.#max) return true
    const limit = Date.now() - this.#idleMs
    for (const [id, session] of this.#sessions) {
      if (session.open > 0 || session.usedAt > limit) continue
      this.#sessions.delete(id)
      void session.connection.close().catch(() => undefined)
      return true
    }
    return false
  }
}

/** The same response; `done` is called when its body was read, was given up, or where there is none. */
const whenRead = (response: Response, done: () => void): Response => {
  if (response.body === null) {
    done()
    return response
  }
  const reader = response.body.getReader()
  let isDone = false
  const finish = (): void => {
    if (!isDone) done()
    isDone = true
  }
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const piece = await reader.read()
        if (!piece.done) return controller.enqueue(piece.value)
        finish()
        controller.close()
      } catch (error) {
        finish()
        controller.error(error)
      }
    },
    cancel: (reason) => {
      finish()
      return reader.cancel(reason)
    }
  })
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}
