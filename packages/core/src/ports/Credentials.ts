/** Where an adapter gets its keys and a host its settings. The runtime itself asks for neither. */
import type { Metadata } from "../schema/Json.ts"
import type { HostValue } from "./HostValue.ts"

export interface Credential {
  readonly type: "bearer" | "api_key" | "basic" | "custom"
  readonly value: string
  readonly metadata?: Metadata | undefined
}

export interface CredentialRequest {
  readonly name: string
  readonly provider?: string | undefined
  readonly metadata?: Metadata | undefined
}

/** Asked per request of an adapter. `undefined` means that it has none. */
export interface CredentialResolver {
  resolve(request: CredentialRequest): HostValue<Credential | undefined>
}

/** A key itself, a function that is called at every use, or a resolver. */
export type CredentialValueSource = string | (() => HostValue<string | undefined>) | CredentialResolver

/** A credential under its name. Without `provider` it answers for every provider that has none of its own. */
export interface CredentialRecord {
  readonly name: string
  readonly provider?: string | undefined
  readonly credential: Credential
}

/** Keeps credentials in memory, for one process. */
export interface MemoryCredentialStore extends CredentialResolver {
  /** Replaces what is there under the same name and provider. */
  set(record: CredentialRecord): void
  /** Tells whether there was one. */
  delete(key: { readonly name: string; readonly provider?: string | undefined }): boolean
  clear(): void
}

/** `expiresAt` is in milliseconds since the epoch. */
export interface OAuthCredentials {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  readonly expiresAt?: number | undefined
  readonly metadata?: Metadata | undefined
}

export interface OAuthProvider<C = OAuthCredentials> {
  readonly id: string
  refresh?(credentials: C): HostValue<C>
}

/** Keeps the credentials of each provider by its id. */
export interface OAuthCredentialStore<C = OAuthCredentials> {
  set(providerId: string, credentials: C): HostValue<unknown>
}

/** Answers a key with a setting, or `undefined`. */
export interface SettingsProvider {
  get(key: string): HostValue<unknown>
}
