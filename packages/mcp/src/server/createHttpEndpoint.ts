/** Streamable HTTP for a server, as a web-standard handler. */
import { checkField, checkFields, type Fields, JUDGED, OBJECT } from "../checkFields.ts"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpServerLimits } from "../McpLimits.ts"
import { resolveLimit } from "../resolveLimits.ts"
import { type HttpGuardOptions, makeHttpGuard, type McpPrincipal, refusal } from "./httpGuard.ts"
import { HttpSessions } from "./HttpSessions.ts"
import { readBody } from "./readBody.ts"
import { Receiving } from "./Receiving.ts"
import { authInfoOf, type Caller, type McpHandlers, serveSessionless, wantsSession } from "./sdk.ts"

export interface McpHttpHandlerOptions extends HttpGuardOptions {
  /** Sessions at once: 100 by default, 10,000 at most. */
  readonly maxSessions?: number
  /** After so long without a request a session makes room for another: 600,000 by default, 86,400,000 at most. */
  readonly sessionIdleMs?: number
}

const OPTION_FIELDS: Fields<McpHttpHandlerOptions> = {
  allowedHosts: JUDGED,
  allowedOrigins: JUDGED,
  authenticate: JUDGED,
  maxSessions: JUDGED,
  sessionIdleMs: JUDGED
}

/** Never rejects. */
export type McpHttpHandler = (request: Request) => Promise<Response>

export interface HttpEndpoint {
  readonly handler: McpHttpHandler
  /** Ends all sessions and gives up all requests and answers. Idempotent, never rejects. */
  readonly close: () => Promise<void>
}

/** Throws `McpBridgeError` for options that are refused. */
export const createHttpEndpoint = (
  options: McpHttpHandlerOptions,
  handlers: McpHandlers,
  { maxRequestBytes, newCaller }: { readonly maxRequestBytes: number; readonly newCaller: () => Caller }
): HttpEndpoint => {
  checkField("MCP options", options, OBJECT)
  checkFields("", options, OPTION_FIELDS)
  const guard = makeHttpGuard(options)
  const sessions = new HttpSessions(
    handlers,
    resolveLimit("maxSessions", options.maxSessions, McpServerLimits.maxSessions),
    resolveLimit("sessionIdleMs", options.sessionIdleMs, McpServerLimits.sessionIdleMs)
  )
  const sessionless = serveSessionless(handlers, newCaller)
  const receiving = new Receiving()
  let isClosed = false

  const receive = async (request: Request, signal: AbortSignal): Promise<Response | Received> => {
    const principal = await guard(request)
    if (principal instanceof Response) return principal
    if (request.method === "DELETE") return { principal, message: undefined }
    // Nothing is announced to anybody: a stream of its own would stay empty.
    if (request.method !== "POST") return withAllow(refusal(405, "Method not allowed"))
    // Read before a place is taken: a client that sends slowly, or never ends, keeps nobody else out.
    signal.throwIfAborted()
    const body = await readBody(request, maxRequestBytes, signal)
    if (body === undefined) return refusal(413, `The request exceeds ${maxRequestBytes} bytes`)
    const message = parse(body)
    return message === undefined ? refusal(400, "The request is no JSON", -32_700) : { principal, message }
  }

  const answer = async (request: Request): Promise<Response> => {
    const received = await receiving.run(request.signal, (ends) => receive(request, ends))
    if (received instanceof Response) return received
    const { message, principal } = received
    if (message === undefined) return sessions.answer(request, message, principal)
    const { headers, method, signal, url } = request
    const read = new Request(url, { method, headers, signal })
    if (await wantsSession(read, message)) return sessions.answer(read, message, principal)
    return sessionless.answer(read, message, authInfoOf(principal.id, principal.metadata))
  }

  return {
    handler: async (request) => {
      if (isClosed) return closed()
      try {
        return await answer(request)
      } catch {
        return isClosed ? closed() : refusal(500, "Internal error", -32_603)
      }
    },
    close: async () => {
      isClosed = true
      receiving.giveUp(new McpBridgeError("MCP server is closed"))
      await Promise.allSettled([sessions.close(), sessionless.close()])
    }
  }
}

const closed = (): Response => refusal(503, "MCP server is closed")

/** A request that is let in. */
interface Received {
  readonly principal: McpPrincipal
  /** Nothing for a DELETE. */
  readonly message: unknown
}

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

const withAllow = (response: Response): Response => {
  response.headers.set("allow", "POST, DELETE")
  return response
}
