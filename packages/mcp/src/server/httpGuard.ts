/** Whose requests are looked at: they come to a host, from an origin and from somebody whom the host means. */
import type { HostValue, JsonObject } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import { boundText } from "../boundText.ts"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpFixedLimits } from "../McpLimits.ts"

/** Who sends a request. */
export interface McpPrincipal {
  /** A session is its own: another principal that knows its id gets nothing from it. */
  readonly id: string
  /** For permission policies, tools and the ledger: of each call what its own request was given. */
  readonly metadata?: JsonObject
}

export interface HttpGuardOptions {
  /** Values of the `Host` header that are meant, such as `mcp.example.com` or `localhost:3000`: 1 to 64. */
  readonly allowedHosts: ReadonlyArray<string>
  /** Values of the `Origin` header of browsers that may call. None by default; programs send no such header. */
  readonly allowedOrigins?: ReadonlyArray<string>
  /**
   * Who sends the request. Nothing, or a failure, refuses it with 401; a response is the refusal itself, for what a
   * client has to know (`WWW-Authenticate`). `"none"` where everybody who reaches the server may call.
   */
  readonly authenticate: "none" | ((request: Request) => HostValue<McpPrincipal | Response | undefined>)
}

/** The principal of a request whose body nobody has read, or its refusal. Never rejects. */
export type HttpGuard = (request: Request) => Promise<McpPrincipal | Response>

/** An error of no particular request, as JSON-RPC has it. */
export const refusal = (status: number, message: string, code = -32_000): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status })

/** Bytes of a header that a refusal repeats. */
const NAMED = 256
const ANYBODY: McpPrincipal = { id: "" }

/** Throws `McpBridgeError` for options that would let in who is not meant. */
export const makeHttpGuard = (options: HttpGuardOptions): HttpGuard => {
  const hosts = listed("allowedHosts", options.allowedHosts, 1, isHost, "such as mcp.example.com or localhost:3000")
  const origins = listed("allowedOrigins", options.allowedOrigins ?? [], 0, isOrigin, "such as https://example.com")
  const { authenticate } = options
  if (authenticate !== "none" && typeof authenticate !== "function") {
    throw new McpBridgeError('authenticate must be a function, or "none"')
  }
  return async (request) => {
    // First: a page in a browser may have led a name of its own to this machine.
    const host = request.headers.get("host")?.toLowerCase() ?? ""
    if (!hosts.has(host)) return refusal(403, `Host is not allowed: ${boundText(host, NAMED)}`)
    const origin = request.headers.get("origin")
    if (origin !== null && !origins.has(origin))
      return refusal(403, `Origin is not allowed: ${boundText(origin, NAMED)}`)
    if (authenticate === "none") return ANYBODY
    try {
      const who: unknown = await settle(authenticate(request))
      if (who instanceof Response || isPrincipal(who)) return who
    } catch {
      // Whoever checks a token throws for a bad one.
    }
    return refusal(401, "Not authenticated")
  }
}

const settle = <A>(value: HostValue<A>): Promise<A> =>
  Effect.isEffect(value) ? Effect.runPromise(value) : Promise.resolve(value)

/** Without an id all who have none would share their sessions. */
const isPrincipal = (value: unknown): value is McpPrincipal => {
  if (typeof value !== "object" || value === null) return false
  const { id } = value as { readonly id?: unknown }
  return typeof id === "string" && id !== ""
}

const listed = (
  field: string,
  values: unknown,
  min: number,
  isMeant: (value: string) => boolean,
  example: string
): ReadonlySet<string> => {
  const { hardCap } = McpFixedLimits.allowedOrigins
  if (!Array.isArray(values) || values.length < min || values.length > hardCap) {
    throw new McpBridgeError(`${field} must be a list of ${min} to ${hardCap} exact values, ${example}`)
  }
  for (const value of values as ReadonlyArray<unknown>) {
    if (typeof value === "string" && isMeant(value)) continue
    throw new McpBridgeError(`${field} must hold exact values, ${example}, not ${JSON.stringify(value)}`)
  }
  return new Set(values as ReadonlyArray<string>)
}

const isHost = (value: string): boolean =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9][a-z0-9._-]*)(:\d{1,5})?$/.test(value) && URL.canParse(`http://${value}`)

const isOrigin = (value: string): boolean => value !== "null" && URL.canParse(value) && new URL(value).origin === value
