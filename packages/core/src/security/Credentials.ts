/**
 * Resolvers of credentials and settings, for adapters and hosts. They read only what they are given and cache nothing.
 */
import type {
  Credential,
  CredentialRecord,
  CredentialRequest,
  CredentialResolver,
  CredentialValueSource,
  MemoryCredentialStore,
  OAuthCredentials,
  OAuthCredentialStore,
  OAuthProvider,
  SettingsProvider
} from "../ports/Credentials.ts"
import { drive, drivePromise, type Steps, unstoppable, waitFor } from "../ports/Steps.ts"

type Names = Readonly<Record<string, string | undefined>>

const own = (from: Names, key: string): string | undefined => (Object.hasOwn(from, key) ? from[key] : undefined)

/**
 * Credentials from an environment that the host hands over; nothing else is ever read. `map` has the variable's name
 * under `<provider>:<name>`, else under the provider, else under the name. A hit is an `api_key` whose metadata name
 * the variable; a missing or empty variable is none.
 */
export const createEnvCredentialResolver = (env: Names, map: Names): CredentialResolver => ({
  resolve: ({ name, provider }) => {
    const envName =
      (provider === undefined ? undefined : (own(map, `${provider}:${name}`) ?? own(map, provider))) ?? own(map, name)
    const value = envName === undefined ? undefined : own(env, envName)
    if (value === undefined || value === "") return undefined
    return { type: "api_key", value, metadata: { source: "env", envName } }
  }
})

/** The first credential that a resolver has, in order; later ones are not asked. Asks anew each time. */
export const createChainedCredentialResolver = (resolvers: ReadonlyArray<CredentialResolver>): CredentialResolver => ({
  resolve: (request) => drive(firstCredential(resolvers, request), unstoppable)
})

/** As `createChainedCredentialResolver`, of sources that a host has named for itself. */
export const createExplicitCredentialResolver = (
  sources: ReadonlyArray<{ readonly name: string; readonly resolver: CredentialResolver }>
): CredentialResolver => createChainedCredentialResolver(sources.map(({ resolver }) => resolver))

function* firstCredential(
  resolvers: ReadonlyArray<CredentialResolver>,
  request: CredentialRequest
): Steps<Credential | undefined> {
  for (const resolver of resolvers) {
    const credential = yield* waitFor(resolver.resolve(request))
    if (credential !== undefined) return credential
  }
  return undefined
}

/**
 * Credentials in memory, by provider and name. A request for a provider takes that provider's record, else the one of
 * that name without a provider.
 */
export const createMemoryCredentialStore = (initial: ReadonlyArray<CredentialRecord> = []): MemoryCredentialStore => {
  const credentials = new Map<string, Credential>()
  const set = ({ name, provider, credential }: CredentialRecord): void => {
    credentials.set(keyOf(name, provider), { ...credential })
  }
  for (const record of initial) set(record)
  return {
    set,
    delete: ({ name, provider }) => credentials.delete(keyOf(name, provider)),
    clear: () => credentials.clear(),
    resolve: ({ name, provider }) => credentials.get(keyOf(name, provider)) ?? credentials.get(keyOf(name))
  }
}

const keyOf = (name: string, provider?: string): string => JSON.stringify([name, provider ?? null])

/** A credential's value: text as it is, a function called anew, a resolver asked anew. No source has no value. */
function* credentialValueSteps(
  source: CredentialValueSource | undefined,
  request: CredentialRequest
): Steps<string | undefined> {
  if (source === undefined || typeof source === "string") return source
  if (typeof source === "function") return yield* waitFor(source())
  return (yield* waitFor(source.resolve(request)))?.value
}

/** As `credentialValueSteps`. Rejects with what the source throws. */
export const resolveCredentialValue = (
  source: CredentialValueSource | undefined,
  request: CredentialRequest
): Promise<string | undefined> => drivePromise(credentialValueSteps(source, request), unstoppable)

/**
 * New credentials from the provider's `refresh`, stored under the provider's id and returned. A provider without
 * `refresh` gets the same ones back, and nothing is stored.
 */
export const refreshOAuthCredential = <C = OAuthCredentials>(options: {
  readonly provider: OAuthProvider<C>
  readonly credentials: C
  readonly store?: OAuthCredentialStore<C> | undefined
}): Promise<C> => drivePromise(refreshSteps(options), unstoppable)

function* refreshSteps<C>(options: {
  readonly provider: OAuthProvider<C>
  readonly credentials: C
  readonly store?: OAuthCredentialStore<C> | undefined
}): Steps<C> {
  const { provider, credentials, store } = options
  if (provider.refresh === undefined) return credentials
  const fresh = yield* waitFor<C>(provider.refresh(credentials))
  if (store !== undefined) yield* waitFor(store.set(provider.id, fresh))
  return fresh
}

/** Settings of one object. `a.b` reads member `b` of member `a`; inherited members do not count. */
export const createStaticSettingsProvider = (settings: object): SettingsProvider => ({
  get: (key) => {
    let value: unknown = settings
    for (const name of key.split(".")) {
      if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined
      value = value[name]
    }
    return value
  }
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The first setting that a provider has, in order; later ones are not asked. */
export const createChainedSettingsProvider = (providers: ReadonlyArray<SettingsProvider>): SettingsProvider => ({
  get: (key) => drive(firstSetting(providers, key), unstoppable)
})

function* firstSetting(providers: ReadonlyArray<SettingsProvider>, key: string): Steps<unknown> {
  for (const provider of providers) {
    const value: unknown = yield* waitFor(provider.get(key))
    if (value !== undefined) return value
  }
  return undefined
}
