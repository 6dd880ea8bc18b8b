/** The option `oauth` of a transport, checked before anything is sent. */
import { checkField, checkFields, type Fields, FLAG, JUDGED, METHOD, OBJECT } from "../checkFields.ts"
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

const FIELDS: Fields<McpOAuth> = {
  provider: OBJECT,
  allowedOrigins: JUDGED,
  authorizationCode: METHOD,
  allowIssuerMismatch: FLAG
}

/** Throws `McpBridgeError` for an option that is refused. No value is repeated: it may be a secret in the wrong place. */
export const resolveOAuth = (given: McpOAuth, allowLoopbackHttp: boolean): ResolvedOAuth => {
  checkField("transport.oauth", given, OBJECT)
  checkFields("transport.oauth", given, FIELDS)
  const { allowedOrigins, allowIssuerMismatch, authorizationCode, provider } = given
  checkField("transport.oauth.provider", provider, OBJECT)
  for (const method of METHODS) checkField(`transport.oauth.provider.${method}`, provider[method], METHOD)
  checkField("transport.oauth.provider.clientMetadata", provider.clientMetadata, OBJECT)
  const origins = checkOrigins("oauth.allowedOrigins", allowedOrigins, allowLoopbackHttp)
  return { provider, authorizationCode, allowIssuerMismatch, origins }
}
