/** One login: from a request that was refused to tokens that the provider has saved. The protocol is the SDK's. */
import { McpAuthorizationError } from "../errors/McpAuthorizationError.ts"
import { type Challenge, isOAuthCode, isTokens, oauthProblem, type OAuthSteps, runOAuth } from "./sdk.ts"
import { untilAborted } from "../transports/untilAborted.ts"
import { type AuthorizationServers, isServerMetadata } from "./AuthorizationServers.ts"
import { guardProvider } from "./guardProvider.ts"
import type { McpOAuthProvider } from "./McpOAuth.ts"
import type { ResolvedOAuth } from "./resolveOAuth.ts"

export interface LoginOptions {
  readonly oauth: ResolvedOAuth
  readonly servers: AuthorizationServers
  readonly serverUrl: URL
  readonly challenge: Challenge
  /** Whether a refresh cannot give what is asked for. */
  readonly isWider: boolean
  /** Whether somebody waits who may have a person asked. */
  readonly mayAsk: () => boolean
  /** A person is asked now. */
  readonly onAsk: () => void
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal
  /** Aborts when the transport is closed. */
  readonly closed: AbortSignal
}

/** What an authorization server did not give. */
interface Refusal {
  readonly request: "registration" | "refresh" | "tokens"
  readonly status: number
  /** Of the standards. */
  readonly code: string | undefined
}

/** Fails with `McpAuthorizationError`, or with the reason of a signal. */
export const logIn = (options: LoginOptions): Promise<void> => new Login(options).run()

class Login {
  readonly #options: LoginOptions
  readonly #provider: McpOAuthProvider
  /** The first. The SDK goes on after some; here everything fails after it. */
  #failure: Error | undefined
  #refusal: Refusal | undefined
  /** The one that was sent with a person. */
  #state: string | null = null

  constructor(options: LoginOptions) {
    this.#options = options
    this.#provider = guardProvider(options.oauth.provider, {
      signal: options.signal,
      assertMayAsk: () => this.#assertMayAsk(),
      onAsk: (url) => this.#ask(url),
      onFailure: (error) => this.#fail(error)
    })
  }

  async run(): Promise<void> {
    try {
      if ((await this.#begin()) === "authorized") return
      const callback = await this.#comeBack()
      await this.#runOAuth({ callback })
    } catch (error) {
      throw this.#failure ?? this.#problem(error)
    }
  }

  async #begin(): Promise<"authorized" | "asked"> {
    try {
      return await this.#runOAuth({ forceReauthorization: this.#options.isWider })
    } catch (error) {
      if (this.#failure !== undefined || !(await this.#forgetRefused())) throw error
      return this.#runOAuth({ forceReauthorization: true })
    }
  }

  #runOAuth(step: Pick<OAuthSteps, "callback" | "forceReauthorization">): Promise<"authorized" | "asked"> {
    const { challenge, oauth, serverUrl } = this.#options
    this.#refusal = undefined
    return runOAuth(this.#provider, {
      serverUrl,
      scope: challenge.scope,
      resourceMetadataUrl: challenge.resourceMetadataUrl,
      skipIssuerCheck: oauth.allowIssuerMismatch === true,
      fetch: this.#fetch,
      ...step
    })
  }

  /** Whether the login may begin anew, without the client or the tokens that were refused. */
  async #forgetRefused(): Promise<boolean> {
    if (this.#refusal === undefined || this.#refusal.request === "registration") return false
    const { code, request } = this.#refusal
    const canForget = typeof this.#options.oauth.provider.invalidateCredentials === "function"
    const isClient = code === "invalid_client" || code === "unauthorized_client"
    if (isClient ? !canForget : request !== "refresh") return false
    if (isClient) await this.#provider.invalidateCredentials?.("client")
    if (canForget && (isClient || code === "invalid_grant")) await this.#provider.invalidateCredentials?.("tokens")
    return true
  }

  readonly #fetch = async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { closed, servers, signal } = this.#options
    const isPost = init.method === "POST"
    try {
      if (this.#failure !== undefined) throw this.#failure
      signal.throwIfAborted()
      // The answer to a POST may have used up what was sent with it: it is waited for.
      const url = new URL(target)
      const { status, text } = await servers.request(url, init, isPost ? closed : signal)
      if (isPost) return this.#readGiven(init.body, status, text)
      if (isServerMetadata(url)) this.#checkMetadata(url, parseObject(text))
      return new Response(text === "" ? null : text, { status })
    } catch (error) {
      this.#fail(error as Error)
      if (!isPost) throw error
      return refused()
    }
  }

  /** Before a person is asked in vain. The rest of a wrong issuer is the SDK's to find, where it is not told to leave that out. */
  #checkMetadata(url: URL, metadata: Readonly<Record<string, unknown>> = {}): void {
    const { issuer, token_endpoint: tokens } = metadata
    if (typeof issuer === "string" && URL.parse(issuer)?.origin !== url.origin) {
      throw this.#failWith("the authorization server's metadata name an issuer of another origin")
    }
    const endpoint = typeof tokens === "string" ? URL.parse(tokens) : null
    if (endpoint !== null) this.#options.servers.check(endpoint)
  }

  /** Of what an authorization server says, no more reaches the SDK, which would print it, than what it gives. */
  #readGiven(body: RequestInit["body"], status: number, text: string): Response {
    const given = parseObject(text)
    const request = requestOf(body)
    const isGiven = status < 300 && given !== undefined && given["error"] === undefined
    // After a refresh that brought something else the SDK prints a warning and goes on.
    if (isGiven && (request !== "refresh" || isTokens(given))) return new Response(text, { status })
    const code = given?.["error"]
    this.#refusal = { request, status, code: isOAuthCode(code) ? code : undefined }
    return refused()
  }

  #assertMayAsk(): void {
    const { mayAsk, oauth } = this.#options
    if (this.#failure !== undefined) throw this.#failure
    if (!mayAsk()) throw this.#failWith("a person is needed, who is asked only where a request waits for it")
    if (oauth.authorizationCode === undefined) {
      throw this.#failWith("a person is needed, and oauth.authorizationCode is not set")
    }
  }

  #ask(url: URL): void {
    try {
      this.#options.servers.check(url)
    } catch (error) {
      this.#fail(error as Error)
      throw error
    }
    this.#state = url.searchParams.get("state")
    this.#options.onAsk()
  }

  async #comeBack(): Promise<NonNullable<OAuthSteps["callback"]>> {
    const { oauth, signal } = this.#options
    const given = await this.#awaitCallback(oauth, signal)
    if (typeof given === "string" && given !== "") return { code: given, iss: undefined }
    if (!(given instanceof URLSearchParams)) {
      throw this.#failWith("oauth.authorizationCode must give a code or the URLSearchParams of the callback")
    }
    if (this.#state !== null && given.get("state") !== this.#state) {
      throw this.#failWith("the callback has another state than the one that was sent")
    }
    const code = given.get("code")
    if (code !== null && code !== "") return { code, iss: given.get("iss") ?? undefined }
    const reason = given.get("error")
    throw this.#failWith(`the login was refused${isOAuthCode(reason) ? ` (${reason})` : ""}`)
  }

  async #awaitCallback(oauth: ResolvedOAuth, signal: AbortSignal): Promise<unknown> {
    try {
      return await untilAborted(Promise.resolve(oauth.authorizationCode?.(signal)), signal)
    } catch (error) {
      signal.throwIfAborted()
      throw new McpAuthorizationError("MCP authorization: oauth.authorizationCode failed", { cause: error })
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error
  }

  #failWith(reason: string): McpAuthorizationError {
    const error = new McpAuthorizationError(`MCP authorization: ${reason}`)
    this.#fail(error)
    return error
  }

  /** No cause: the SDK's messages repeat what servers send. */
  #problem(error: unknown): Error {
    if (error instanceof McpAuthorizationError || error === this.#options.signal.reason) return error as Error
    if (this.#refusal === undefined) return new McpAuthorizationError(`MCP authorization: ${oauthProblem(error)}`)
    const { code, request, status } = this.#refusal
    const what = request === "registration" ? "did not register the client" : "gave no tokens"
    const how = code === undefined ? `status ${status}` : `status ${status}, ${code}`
    return new McpAuthorizationError(`MCP authorization: the authorization server ${what} (${how})`)
  }
}

const refused = (): Response => new Response(`{"error":"refused"}`, { status: 400 })

const requestOf = (body: RequestInit["body"]): Refusal["request"] => {
  if (!(body instanceof URLSearchParams)) return "registration"
  return body.get("grant_type") === "refresh_token" ? "refresh" : "tokens"
}

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
