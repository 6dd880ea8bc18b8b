/** The tokens of one transport, and the one login that all requests share that need it. */
import { type Challenge, isWiderScope, unionOfScopes } from "./sdk.ts"
import { McpAuthorizationError } from "../errors/McpAuthorizationError.ts"
import { McpFixedLimits } from "../McpLimits.ts"
import { untilAborted } from "../transports/untilAborted.ts"
import type { AuthorizationServers } from "./AuthorizationServers.ts"
import { providerFailure } from "./guardProvider.ts"
import { inTurn } from "./inTurn.ts"
import { logIn } from "./Login.ts"
import type { McpOAuthTokens } from "./McpOAuth.ts"
import type { ResolvedOAuth } from "./resolveOAuth.ts"

export interface AuthorizerOptions {
  readonly oauth: ResolvedOAuth
  readonly servers: AuthorizationServers
  readonly serverUrl: URL
}

/** A request that was refused. */
export interface Waiter {
  readonly signal: AbortSignal
  /** Whether a person may be asked for its sake. */
  readonly mayAsk: boolean
}

/** A login that is under way. */
interface Running {
  readonly waiters: Set<Waiter>
  readonly abandoned: AbortController
  readonly done: Promise<void>
  isAsking: boolean
}

export class Authorizer {
  readonly #options: AuthorizerOptions
  readonly #closed = new AbortController()
  #running: Running | undefined
  /** All scopes that were asked for so far. */
  #scope: string | undefined
  /** When streams that no call waits for may log in again. */
  #streamsAfter = 0

  constructor(options: AuthorizerOptions) {
    this.#options = options
  }

  /** The access token that requests are to carry now. */
  async token(signal: AbortSignal): Promise<string | undefined> {
    return (await this.#tokens(signal))?.access_token
  }

  /** Waits for tokens after a request with the token `sent` was refused. Callers at the same time share one login. */
  async renew(challenge: Challenge, sent: string | undefined, waiter: Waiter): Promise<void> {
    await this.#untilOver(waiter.signal)
    const running = (this.#running ??= this.#start(challenge, sent))
    running.waiters.add(waiter)
    try {
      await untilAborted(running.done, waiter.signal)
    } finally {
      running.waiters.delete(waiter)
      const isAwaited = [...running.waiters].some(({ mayAsk }) => mayAsk || !running.isAsking)
      if (!isAwaited) running.abandoned.abort()
    }
  }

  /** Settles when no login is left. Tokens that are on the way have `stopMs` to arrive: what they replace may be used up. */
  async close(): Promise<void> {
    const running = this.#running
    if (running !== undefined) {
      running.abandoned.abort()
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), McpFixedLimits.stopMs.hardCap)
      await untilAborted(running.done, late.signal).catch(ignore)
      clearTimeout(timer)
    }
    this.#closed.abort()
    this.#options.servers.close()
  }

  /** Of a login that was given up nobody hopes for anything; but it may be saving what it was given. */
  async #untilOver(signal: AbortSignal): Promise<void> {
    const running = this.#running
    if (running?.abandoned.signal.aborted !== true) return
    await untilAborted(running.done.catch(ignore), signal)
    await this.#untilOver(signal)
  }

  #start(challenge: Challenge, sent: string | undefined): Running {
    const waiters = new Set<Waiter>()
    const abandoned = new AbortController()
    const settled = (): void => {
      this.#running = undefined
    }
    const running: Running = {
      waiters,
      abandoned,
      isAsking: false,
      // Begins when the first of them waits. Other transports may have the same provider, whose refresh token is good for one use.
      done: inTurn(this.#options.oauth.provider, abandoned.signal, () => this.#logIn(challenge, sent, running)).finally(
        settled
      )
    }
    // Whoever waits hears of it; they may all have gone.
    running.done.catch(ignore)
    return running
  }

  async #logIn(challenge: Challenge, sent: string | undefined, running: Running): Promise<void> {
    const { signal } = running.abandoned
    const tokens = await this.#tokens(signal)
    // Another login has replaced it meanwhile.
    if (tokens !== undefined && tokens.access_token !== sent) return
    const mayAsk = (): boolean => [...running.waiters].some((waiter) => waiter.mayAsk)
    if (!mayAsk()) this.#pace()
    const isStep = challenge.status === 403
    this.#scope = boundedScope(unionOfScopes(this.#scope, isStep ? tokens?.scope : undefined, challenge.scope))
    await logIn({
      ...this.#options,
      challenge: isStep ? { ...challenge, scope: this.#scope } : challenge,
      isWider: isStep && isWiderScope(this.#scope, tokens?.scope),
      mayAsk,
      onAsk: () => {
        running.isAsking = true
      },
      signal,
      closed: this.#closed.signal
    })
  }

  /** A stream comes back by itself, as often as its server likes: the authorization server is not to be asked as often. */
  #pace(): void {
    const now = performance.now()
    const { hardCap } = McpFixedLimits.reconnectMaxDelayMs
    if (now < this.#streamsAfter) {
      throw new McpAuthorizationError(`MCP authorization: streams alone log in once in ${hardCap}ms`)
    }
    this.#streamsAfter = now + hardCap
  }

  async #tokens(signal: AbortSignal): Promise<McpOAuthTokens | undefined> {
    const { provider } = this.#options.oauth
    try {
      return (await untilAborted(Promise.resolve(provider.tokens()), signal)) ?? undefined
    } catch (error) {
      signal.throwIfAborted()
      throw providerFailure("tokens", error)
    }
  }
}

/** A server may ask for ever other scopes, all of which are sent then. */
const boundedScope = (scope: string | undefined): string | undefined => {
  const { hardCap } = McpFixedLimits.remoteTextBytes
  if (scope === undefined || Buffer.byteLength(scope) <= hardCap) return scope
  throw new McpAuthorizationError(`MCP authorization: the server asks for scopes of more than ${hardCap} bytes`)
}

const ignore = (): void => undefined
