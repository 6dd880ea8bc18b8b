/** A host's provider as the SDK may use it: what it throws is told by name, and nobody waits for it after an abort. */
import { McpAuthorizationError } from "../errors/McpAuthorizationError.ts"
import { untilAborted } from "../transports/untilAborted.ts"
import type { McpOAuthContext, McpOAuthProvider } from "./McpOAuth.ts"

export interface ProviderGuard {
  /** Aborts when the login is given up. */
  readonly signal: AbortSignal
  /** Throws where no person may be asked. */
  readonly assertMayAsk: () => void
  /** Before a person is sent there. Throws where nobody may be. */
  readonly onAsk: (url: URL) => void
  /** Hears of what a provider threw. */
  readonly onFailure: (error: Error) => void
}

type Method = (...args: ReadonlyArray<unknown>) => unknown

/** Every method of the result answers with a Promise. */
export const guardProvider = (provider: McpOAuthProvider, guard: ProviderGuard): McpOAuthProvider => {
  const { assertMayAsk, onAsk, onFailure, signal } = guard
  const tell = (name: string, thrown: unknown): Error => {
    const error = signal.aborted ? (signal.reason as Error) : providerFailure(name, thrown)
    onFailure(error)
    return error
  }
  const read = (name: string): unknown => {
    try {
      return Reflect.get(provider, name)
    } catch (error) {
      throw tell(name, error)
    }
  }
  const call = async (name: string, ...args: ReadonlyArray<unknown>): Promise<unknown> => {
    try {
      const method = read(name) as Method
      // What a server has given is kept, whoever waits: a refresh token may be good for one use only.
      if (SAVES.has(name)) return await method.apply(provider, args as [])
      signal.throwIfAborted()
      return await untilAborted(Promise.resolve(method.apply(provider, args as [])), signal)
    } catch (error) {
      throw tell(name, error)
    }
  }
  /** Whatever was kept without its authorization server belongs to the first that is asked. The SDK would print a warning. */
  const readBound = async (name: string, save: string, context?: McpOAuthContext): Promise<unknown> => {
    const kept = (await call(name, context)) ?? undefined
    if (typeof kept !== "object" || context === undefined) return kept
    const { issuer } = kept as { readonly issuer?: unknown }
    if (typeof issuer === "string") return kept
    const bound = { ...kept, issuer: context.issuer }
    if (typeof read(save) === "function") await call(save, bound, context)
    return bound
  }
  /** Without it the SDK would go on, and what it is to check would be left out. */
  const readText = async (name: string): Promise<string> => {
    const value = await call(name)
    if (typeof value === "string" && value !== "") return value
    throw tell(name, new TypeError("it must give a string that is not empty"))
  }
  let discovered: unknown
  const own: Readonly<Record<string, unknown>> = {
    tokens: (context?: McpOAuthContext) => readBound("tokens", "saveTokens", context),
    clientInformation: (context?: McpOAuthContext) => readBound("clientInformation", "saveClientInformation", context),
    saveCodeVerifier: async (verifier: string) => {
      assertMayAsk()
      await call("saveCodeVerifier", verifier)
    },
    redirectToAuthorization: async (url: URL) => {
      assertMayAsk()
      onAsk(url)
      await call("redirectToAuthorization", url)
    },
    // What was found out lasts as long as the login.
    discoveryState: () => Promise.resolve(discovered),
    saveDiscoveryState: (state: unknown) => {
      discovered = state
      return Promise.resolve()
    },
    // Bearer tokens only.
    dpop: undefined
  }
  const get = (_: object, name: string | symbol): unknown => {
    if (typeof name !== "string" || Object.hasOwn(own, name)) return own[String(name)]
    const value = read(name)
    if (typeof value !== "function") return value
    const method = (...args: ReadonlyArray<unknown>): Promise<unknown> => call(name, ...args)
    if (TEXTS.has(name)) return () => readText(name)
    // What it throws the SDK would print, and go on. It is told: nothing is sent after that.
    return name === "addClientAuthentication"
      ? (...args: ReadonlyArray<unknown>) => method(...args).catch(ignore)
      : method
  }
  return new Proxy({}, { get }) as McpOAuthProvider
}

const ignore = (): void => undefined

const TEXTS: ReadonlySet<string> = new Set(["state", "codeVerifier"])

const SAVES: ReadonlySet<string> = new Set(["saveTokens", "saveClientInformation"])

export const providerFailure = (name: string, cause: unknown): McpAuthorizationError =>
  new McpAuthorizationError(`MCP authorization: oauth.provider.${name} failed`, { cause })
