/** A server behind a URL: Streamable HTTP, within the bounds that keep it from reaching the host's own network. */
import { checkFields, type Fields, FLAG, JUDGED, METHOD, OBJECT, TEXT } from "../checkFields.ts"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpHttpLimits } from "../McpLimits.ts"
import { resolveLimit } from "../resolveLimits.ts"
import { AuthorizationServers } from "../oauth/AuthorizationServers.ts"
import { makeAuthorizedFetch } from "../oauth/authorizedFetch.ts"
import { Authorizer } from "../oauth/Authorizer.ts"
import type { McpOAuth } from "../oauth/McpOAuth.ts"
import { type ResolvedOAuth, resolveOAuth } from "../oauth/resolveOAuth.ts"
import { makeHttpTransport } from "../sdk.ts"
import type { Address } from "./addresses.ts"
import { resolveEndpoint } from "./endpoint.ts"
import { HttpChannel } from "./HttpChannel.ts"
import { makePinnedFetch, type PinnedFetch } from "./pinnedFetch.ts"
import { resolveBySystem, type ResolveHostname } from "./resolveAddress.ts"
import { StreamPauses } from "./StreamPauses.ts"

/** What is sent are `url` and the headers of `requestInit`. Without `oauth` nothing is discovered. */
export interface McpStreamableHttpTransport {
  readonly type: "streamable-http"
  readonly url: string
  /** Exact `https:` origins, 1 to 64; the one of `url` must be among them. */
  readonly allowedOrigins: readonly string[]
  /** Lets `url` be on this machine's loopback, there also over plain `http:`. */
  readonly allowLoopbackHttp?: boolean
  /** Of one response body, streams of events included. */
  readonly maxResponseBytes?: number
  /** Its `headers` are sent with every request; anything else in it is refused. */
  readonly requestInit?: RequestInit
  /** Lets the bridge log in where the server asks for it. Then `requestInit` must have no `authorization`. */
  readonly oauth?: McpOAuth
  /** Takes up a session that was begun elsewhere. */
  readonly sessionId?: string
  /** Instead of the operating system's. Its answer is held to the same rules. */
  readonly resolveHostname?: (hostname: string, signal: AbortSignal) => Promise<readonly Address[]>
}

export const HTTP_FIELDS: Fields<McpStreamableHttpTransport> = {
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
  const { requestInit = {} } = config
  checkFields("transport.requestInit", requestInit, { headers: JUDGED })
  const headers = readHeaders(requestInit.headers)
  const { allowLoopbackHttp = false, resolveHostname = resolveBySystem } = config
  const oauth = config.oauth === undefined ? undefined : resolveOAuth(config.oauth, allowLoopbackHttp)
  if (oauth !== undefined && headers.has("authorization")) {
    throw new McpBridgeError("requestInit.headers must not hold authorization where oauth is given")
  }
  const { url } = endpoint
  const plain = makePinnedFetch({ endpoint, maxResponseBytes, resolveHostname })
  const http =
    oauth === undefined ? plain : withLogin(plain, { oauth, serverUrl: url, allowLoopbackHttp, resolveHostname })
  const pauses = new StreamPauses()
  const transport = makeHttpTransport(url, {
    fetch: http.fetch,
    headers,
    sessionId: config.sessionId,
    schedule: pauses.schedule
  })
  return new HttpChannel(transport, { url, headers, http, pauses })
}

interface LoginOptions {
  readonly oauth: ResolvedOAuth
  readonly serverUrl: URL
  readonly allowLoopbackHttp: boolean
  readonly resolveHostname: ResolveHostname
}

const withLogin = (http: PinnedFetch, { oauth, serverUrl, ...rest }: LoginOptions): PinnedFetch => {
  const servers = new AuthorizationServers({ serverUrl, origins: oauth.origins, ...rest })
  return makeAuthorizedFetch(http, new Authorizer({ oauth, servers, serverUrl }))
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
