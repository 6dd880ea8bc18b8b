/** The option `oauth` of a transport, checked before anything is sent. */
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { checkOrigins } from "../transports/endpoint.ts"
import type { McpOAuth } from "./McpOAuth.ts"

export interface ResolvedOAuth extends Omit<McpOAuth, "allowedOrigins"> {
  readonly origins: ReadonlySet<string>
}

const METHODS = [
  "clientInformation",
  "tokens",
  "saveTokens",
  "redirectToAuthorization",
  "saveCodeVerifier",
  "codeVerifier"
] as const

/** Throws `McpBridgeError` for an option that is refused. */
export const resolveOAuth = (given: McpOAuth, allowLoopbackHttp: boolean): ResolvedOAuth => {
  const {
    allowedOrigins,
    allowIssuerMismatch = false,
    authorizationCode,
    provider
  } = (given ?? {}) as Partial<McpOAuth>
  if (typeof provider !== "object" || provider === null) {
    throw new McpBridgeError(`oauth.provider must be an object (got ${nameOf(provider)})`)
  }
  for (const method of METHODS) {
    const value: unknown = provider[method]
    if (typeof value !== "function") {
      throw new McpBridgeError(`oauth.provider.${method} must be a function (got ${nameOf(value)})`)
    }
  }
  if (authorizationCode !== undefined && typeof authorizationCode !== "function") {
    throw new McpBridgeError(`oauth.authorizationCode must be a function (got ${nameOf(authorizationCode)})`)
  }
  if (typeof allowIssuerMismatch !== "boolean") {
    throw new McpBridgeError(`oauth.allowIssuerMismatch must be a boolean (got ${nameOf(allowIssuerMismatch)})`)
  }
  const origins = checkOrigins("oauth.allowedOrigins", allowedOrigins, allowLoopbackHttp)
  return { provider, authorizationCode, allowIssuerMismatch, origins }
}

/** Not the value: it may be a secret in the wrong place. */
const nameOf = (value: unknown): string => (value === null ? "null" : typeof value)
