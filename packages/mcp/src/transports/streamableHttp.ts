/** A server behind a URL: Streamable HTTP, within the bounds that keep it from reaching the host's own network. */
import { type Fields, FLAG, JUDGED, METHOD, OBJECT, TEXT } from "../checkFields.ts"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpHttpLimits } from "../McpLimits.ts"
import { resolveLimit } from "../resolveLimits.ts"
import { makeHttpTransport } from "../sdk.ts"
import type { Address } from "./addresses.ts"
import { resolveEndpoint } from "./endpoint.ts"
import { HttpChannel } from "./HttpChannel.ts"
import { makePinnedFetch } from "./pinnedFetch.ts"
import { resolveBySystem } from "./resolveAddress.ts"
import { StreamPauses } from "./StreamPauses.ts"

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

export const HTTP_FIELDS: Fields<McpStreamableHttpTransport & { readonly oauth?: object }> = {
  type: JUDGED,
  url: JUDGED,
  allowedOrigins: JUDGED,
  allowLoopbackHttp: FLAG,
  maxResponseBytes: JUDGED,
  requestInit: OBJECT,
  sessionId: TEXT,
  resolveHostname: METHOD,
  oauth: OBJECT
}

/** Throws `McpBridgeError` for a URL, origin, header or bound that is refused. Nothing is sent yet. */
export const createStreamableHttp = (config: McpStreamableHttpTransport): HttpChannel => {
  const endpoint = resolveEndpoint(config)
  const maxResponseBytes = resolveLimit("maxResponseBytes", config.maxResponseBytes, McpHttpLimits.maxResponseBytes)
  const headers = readHeaders(config.requestInit?.headers)
  const http = makePinnedFetch({
    endpoint,
    maxResponseBytes,
    resolveHostname: config.resolveHostname ?? resolveBySystem
  })
  const { url } = endpoint
  const pauses = new StreamPauses()
  const transport = makeHttpTransport(url, {
    fetch: http.fetch,
    headers,
    sessionId: config.sessionId,
    schedule: pauses.schedule
  })
  return new HttpChannel(transport, { url, headers, http, pauses })
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
