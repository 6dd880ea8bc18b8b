/** What a host hands in for a server that asks for a login. The SDK's `OAuthClientProvider`s satisfy these types. */

/** The authorization server that something belongs to. */
export interface McpOAuthContext {
  readonly issuer: string
}

/** This client, as an authorization server knows it. Keep the whole object: it holds more than is named here. */
export interface McpOAuthClientInformation {
  readonly client_id: string
  readonly client_secret?: string | undefined
  /** The authorization server that it is for. */
  readonly issuer?: string | undefined
}

/** Keep the whole object: it may hold more than is named here. */
export interface McpOAuthTokens {
  readonly access_token: string
  readonly token_type: string
  readonly refresh_token?: string | undefined
  readonly scope?: string | undefined
  /** Seconds, from the answer that brought it. */
  readonly expires_in?: number | undefined
  readonly id_token?: string | undefined
  /** The authorization server that gave them. */
  readonly issuer?: string | undefined
}

/** What a client says of itself when it registers (RFC 7591). */
export interface McpOAuthClientMetadata {
  readonly redirect_uris: ReadonlyArray<string>
  readonly client_name?: string | undefined
  readonly grant_types?: ReadonlyArray<string> | undefined
  readonly response_types?: ReadonlyArray<string> | undefined
  /** Asked for where neither the server's challenge nor its metadata name any. Separated by spaces. */
  readonly scope?: string | undefined
  readonly token_endpoint_auth_method?: string | undefined
}

/**
 * Keeps what a login leaves, and tells who this client is. One provider for one server. A method that throws, or rejects, ends
 * the login with `McpAuthorizationError`, whose `cause` it is.
 */
export interface McpOAuthProvider {
  /** Where the browser comes back to. Absent: no person is asked, `prepareTokenRequest` says what the client asks with. */
  readonly redirectUrl: string | URL | undefined
  readonly clientMetadata: McpOAuthClientMetadata
  /** An `https:` URL that authorization servers read this client's metadata at, instead of a registration. */
  readonly clientMetadataUrl?: string | undefined
  /** A value that nobody can guess; the callback must have the same. */
  state?(): string | Promise<string>
  clientInformation(
    context?: McpOAuthContext
  ): McpOAuthClientInformation | undefined | Promise<McpOAuthClientInformation | undefined>
  /** Absent: the client is known already, and is never registered. */
  saveClientInformation?(information: McpOAuthClientInformation, context?: McpOAuthContext): void | Promise<void>
  /** Without a context: those that were saved last. Asked before every request. */
  tokens(context?: McpOAuthContext): McpOAuthTokens | undefined | Promise<McpOAuthTokens | undefined>
  saveTokens(tokens: McpOAuthTokens, context?: McpOAuthContext): void | Promise<void>
  /** Brings a person to the URL: it opens a browser, or shows it. */
  redirectToAuthorization(url: URL): void | Promise<void>
  saveCodeVerifier(verifier: string): void | Promise<void>
  codeVerifier(): string | Promise<string>
  /** Instead of the client secret in a request for tokens. */
  addClientAuthentication?(headers: Headers, params: URLSearchParams, url: string | URL): void | Promise<void>
  /** Instead of the check that the resource of the server's metadata is this server. */
  validateResourceURL?(serverUrl: string | URL, resource?: string): Promise<URL | undefined>
  scopeForRefresh?(tokens: McpOAuthTokens): string | undefined | Promise<string | undefined>
  /** Forgets what an authorization server has refused. */
  invalidateCredentials?(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void | Promise<void>
  /** Of a flow without a person: the grant and its parameters. */
  prepareTokenRequest?(scope?: string): URLSearchParams | Promise<URLSearchParams | undefined> | undefined
  saveAuthorizationServerUrl?(url: string): void | Promise<void>
  saveResourceUrl?(url: string): void | Promise<void>
}

/** Lets a transport log in where its server asks for it. Without it a 401 is an error, and nothing is discovered. */
export interface McpOAuth {
  readonly provider: McpOAuthProvider
  /**
   * Authorization servers that may be asked, and that a person may be sent to: exact `https:` origins, 1 to 64. Whatever the
   * server's metadata name besides is refused.
   */
  readonly allowedOrigins: readonly string[]
  /**
   * Waits until the person is back at the provider's `redirectUrl`, and answers with the parameters that the browser brought, or
   * with the code alone. `signal` aborts when nobody waits for the login any more. Absent: a login that needs a person fails.
   */
  readonly authorizationCode?: ((signal: AbortSignal) => Promise<URLSearchParams | string>) | undefined
  /**
   * Lets the metadata of an authorization server name an issuer of another path, as some servers from before 2025-06-18 do;
   * never one of another origin. Unsafe where several authorization servers share an origin. `false` unless set.
   */
  readonly allowIssuerMismatch?: boolean | undefined
}
