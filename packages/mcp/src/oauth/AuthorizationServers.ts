/** Requests of a login: to allow-listed origins, within the bounds of every request of ours, and with nothing of the host's. */
import { boundText } from "../boundText.ts"
import { McpAuthorizationError } from "../errors/McpAuthorizationError.ts"
import { McpFixedLimits } from "../McpLimits.ts"
import { readEndpoint } from "../transports/endpoint.ts"
import { makePinnedFetch, type PinnedFetch } from "../transports/pinnedFetch.ts"
import type { ResolveHostname } from "../transports/resolveAddress.ts"

export interface AuthorizationServersOptions {
  /**
   * The MCP server. Its metadata are read at its own origin, which need not be allow-listed for that; those of an authorization
   * server are not: it could name the endpoints of another, and get tokens that are for anybody.
   */
  readonly serverUrl: URL
  readonly origins: ReadonlySet<string>
  readonly allowLoopbackHttp: boolean
  readonly resolveHostname: ResolveHostname
}

/** Read to its end. */
export interface Answer {
  readonly status: number
  readonly text: string
}

export class AuthorizationServers {
  readonly #options: AuthorizationServersOptions
  /** By origin. */
  readonly #fetches = new Map<string, PinnedFetch>()

  constructor(options: AuthorizationServersOptions) {
    this.#options = options
  }

  /** Throws `McpAuthorizationError` where nothing may be sent to the URL, nor a person. */
  check(url: URL): void {
    const { allowLoopbackHttp, origins } = this.#options
    if (!origins.has(url.origin)) {
      throw new McpAuthorizationError(`MCP authorization: origin ${named(url)} is not in oauth.allowedOrigins`)
    }
    try {
      readEndpoint(url.href, allowLoopbackHttp)
    } catch (error) {
      throw failureAt(url, error)
    }
  }

  /** Fails with `McpAuthorizationError`, or with the signal's reason. */
  async request(url: URL, init: RequestInit, signal: AbortSignal): Promise<Answer> {
    const isGet = (init.method ?? "GET") === "GET"
    const isOwn = isGet && url.origin === this.#options.serverUrl.origin && !isServerMetadata(url)
    if (!isOwn) this.check(url)
    const { hardCap } = McpFixedLimits.oauthRequestMs
    const late = AbortSignal.timeout(hardCap)
    // The SDK sends forms and JSON text.
    const body = init.body instanceof URLSearchParams ? init.body.toString() : init.body
    const bounded = { ...init, body, signal: AbortSignal.any([signal, late]) }
    try {
      const answer = await this.#fetchOf(url)(url, bounded as RequestInit)
      return { status: answer.status, text: await answer.text() }
    } catch (error) {
      signal.throwIfAborted()
      throw failureAt(url, late.aborted ? new Error(`no answer within ${hardCap}ms`) : error)
    }
  }

  close(): void {
    for (const http of this.#fetches.values()) void http.close()
  }

  #fetchOf(url: URL): PinnedFetch["fetch"] {
    const { allowLoopbackHttp, resolveHostname } = this.#options
    let http = this.#fetches.get(url.origin)
    if (http === undefined) {
      http = makePinnedFetch({
        endpoint: readEndpoint(url.href, allowLoopbackHttp),
        maxResponseBytes: McpFixedLimits.oauthResponseBytes.hardCap,
        resolveHostname
      })
      this.#fetches.set(url.origin, http)
    }
    return http.fetch
  }
}

/** Whether the metadata of an authorization server are there. */
export const isServerMetadata = ({ pathname }: URL): boolean =>
  /\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/.test(pathname)

/** Names of hosts are as long as whoever writes the metadata likes. */
const named = ({ origin }: URL): string => boundText(origin, McpFixedLimits.serverNameBytes.hardCap)

const failureAt = (url: URL, error: unknown): McpAuthorizationError => {
  const reason = error instanceof Error ? error.message : String(error)
  return new McpAuthorizationError(`MCP authorization at ${named(url)} failed (${reason})`, { cause: error })
}
