/** The only module that imports the logins of the official SDK. */
import {
  auth,
  AuthorizationServerMismatchError,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  InsecureTokenEndpointError,
  isSpecType,
  isStrictScopeSuperset,
  IssuerMismatchError,
  type OAuthClientProvider,
  OAuthErrorCode
} from "@modelcontextprotocol/client"
import type { McpOAuthProvider } from "./McpOAuth.ts"

/** What a server asks for with a request that it refused; the request did not run. */
export interface Challenge {
  /** 401: a token, or another one. 403: a wider scope. */
  readonly status: 401 | 403
  readonly scope?: string | undefined
  readonly resourceMetadataUrl?: URL | undefined
}

export const readChallenge = (answer: Response): Challenge | undefined => {
  const { status } = answer
  if (status !== 401 && status !== 403) return undefined
  const { error, resourceMetadataUrl, scope } = extractWWWAuthenticateParams(answer)
  return status === 401 || error === "insufficient_scope" ? { status, scope, resourceMetadataUrl } : undefined
}

export interface OAuthSteps {
  readonly serverUrl: URL
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  readonly scope: string | undefined
  readonly resourceMetadataUrl: URL | undefined
  /** Goes past a refresh token that is there. */
  readonly forceReauthorization?: boolean
  readonly skipIssuerCheck: boolean
  /** What a person came back with. */
  readonly callback?: { readonly code: string; readonly iss: string | undefined }
}

/** Runs the protocol until tokens are saved, or a person has been sent to log in. */
export const runOAuth = async (provider: McpOAuthProvider, steps: OAuthSteps): Promise<"authorized" | "asked"> => {
  const {
    callback,
    fetch,
    forceReauthorization = false,
    resourceMetadataUrl,
    scope,
    serverUrl,
    skipIssuerCheck
  } = steps
  // Structurally the SDK's own; our type only hides what it keeps.
  const result = await auth(provider as unknown as OAuthClientProvider, {
    serverUrl,
    fetchFn: fetch,
    forceReauthorization,
    skipIssuerMetadataValidation: skipIssuerCheck,
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    ...(callback !== undefined && { authorizationCode: callback.code }),
    ...(callback?.iss !== undefined && { iss: callback.iss })
  })
  return result === "AUTHORIZED" ? "authorized" : "asked"
}

/** Whether an authorization server's answer holds tokens. */
export const isTokens = (answer: object): boolean => isSpecType.OAuthTokens(answer)

/** All of these scopes. */
export const unionOfScopes = computeScopeUnion

/** Whether a token of the scope `granted` has to be replaced by one of the scope `wanted`: refreshing does not widen it. */
export const isWiderScope = isStrictScopeSuperset

const OAUTH_CODES: ReadonlySet<unknown> = new Set(Object.values(OAuthErrorCode))

/** Whether this is an error code of the standards, and no text of a server's. */
export const isOAuthCode = (code: unknown): code is string => OAUTH_CODES.has(code)

/** What the SDK found wrong with an authorization, in words of ours. */
export const oauthProblem = (error: unknown): string => {
  if (error instanceof IssuerMismatchError) {
    return error.kind === "metadata"
      ? "the authorization server's metadata name another issuer"
      : "the callback does not name the authorization server that was asked"
  }
  if (error instanceof AuthorizationServerMismatchError)
    return "the client or the login belongs to another authorization server"
  if (error instanceof InsecureTokenEndpointError) return "the token endpoint is not https:"
  const message = error instanceof Error ? error.message : ""
  if (message.startsWith("Protected resource ")) return "the server's metadata name another resource"
  // Constants of the SDK.
  const [constant] =
    /^(?:Incompatible auth server: [\w ]+|OAuth client information must be saveable[\w ]+)$/.exec(message) ?? []
  return constant ?? "what the servers sent could not be used"
}
