/** A server behind a URL: Streamable HTTP, within the bounds that keep it from reaching the host's own network. */
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpFixedLimits, McpHttpLimits, resolveLimit } from "../McpLimits.ts"
import { type HttpChannel, makeHttpChannel } from "../sdk.ts"
import type { Address } from "./addresses.ts"
import { resolveEndpoint } from "./endpoint.ts"
import { makePinnedFetch, type PinnedFetch } from "./pinnedFetch.ts"
import { resolveBySystem } from "./resolveAddress.ts"

/** Nothing is discovered: what is sent are `url` and the headers of `requestInit`. */
export interface McpStreamableHttpTransport {
  readonly type: "streamable-http"
  readonly url: string
  /** Exact `https:` origins, 1 to 64; the one of `url` must be among them. */
  readonly allowedOrigins: readonly string[]
  /** Lets `url` be on this machine's loopback, there also over plain `http:`. */
  readonly allowLoopbackHttp?: boolean
  /** Of one response body, streams of events included. */
  readonly maxResponseBytes?: number
  /** Only its `headers` are used. */
  readonly requestInit?: RequestInit
  /** Takes up a session that was begun elsewhere. */
  readonly sessionId?: string
  /** Instead of the operating system's. Its answer is held to the same rules. */
  readonly resolveHostname?: (hostname: string, signal: AbortSignal) => Promise<readonly Address[]>
}

/** Throws `McpBridgeError` for a URL, origin, header or bound that is refused. Nothing is sent yet. `close` ends the session. */
export const createStreamableHttp = (config: McpStreamableHttpTransport): HttpChannel => {
  const endpoint = resolveEndpoint(config)
  const maxResponseBytes = resolveLimit("maxResponseBytes", config.maxResponseBytes, McpHttpLimits.maxResponseBytes)
  const headers = readHeaders(config.requestInit?.headers)
  const http = makePinnedFetch({
    endpoint,
    maxResponseBytes,
    resolveHostname: config.resolveHostname ?? resolveBySystem
  })
  const channel = makeHttpChannel(endpoint.url, { fetch: http.fetch, headers, sessionId: config.sessionId })
  const closeChannel = channel.close.bind(channel)
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    const ended = endSession(channel, endpoint.url, headers, http)
    await closeChannel()
    await ended
    http.close()
  }
  channel.close = () => (closing ??= close())
  return channel
}

/** Tells the server, which may not care, within `stopMs`. What waits for answers is not kept waiting for it. */
const endSession = async (channel: HttpChannel, url: URL, own: Headers, { fetch }: PinnedFetch): Promise<void> => {
  const { protocolVersion, sessionId } = channel
  if (sessionId === undefined) return
  const headers = new Headers(own)
  headers.set("mcp-session-id", sessionId)
  if (protocolVersion !== undefined) headers.set("mcp-protocol-version", protocolVersion)
  const signal = AbortSignal.timeout(McpFixedLimits.stopMs.hardCap)
  try {
    const answer = await fetch(url, { method: "DELETE", headers, signal })
    await answer.body?.cancel()
  } catch {
    // The session ends by itself then; a close has nobody to complain to.
  }
}

const readHeaders = (given: RequestInit["headers"]): Headers => {
  let headers: Headers
  try {
    headers = new Headers(given)
  } catch {
    // The engine's message repeats the value, which may be a secret.
    throw new McpBridgeError("MCP HTTP headers hold an invalid name or value")
  }
  if (headers.has("host")) throw new McpBridgeError("MCP HTTP requests must not set the Host header")
  return headers
}
