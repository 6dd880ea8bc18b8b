/** Providers by id, and the way from a model to its provider. */
import type { AIProvider, ProviderResolver } from "../ports/AIProvider.ts"
import { makeKeyedRegistry, type RegistryOptions } from "../ports/KeyedRegistry.ts"

/** `resolve` throws `Unknown provider: <id>`; `list` is in order of first registration. */
export interface ProviderRegistry {
  register(provider: AIProvider): void
  get(id: string): AIProvider | undefined
  resolve(id: string): AIProvider
  list(): ReadonlyArray<AIProvider>
}

/** Providers by id. One that is taken is replaced in its place, or refused with `Duplicate provider: <id>`. */
export const createProviderRegistry = (
  providers: ReadonlyArray<AIProvider> = [],
  options: RegistryOptions = {}
): ProviderRegistry => {
  const { put, get, resolve, list } = makeKeyedRegistry<AIProvider>("provider", options)
  const register = (provider: AIProvider): void => put(provider.id, provider)
  for (const provider of providers) register(provider)
  return { register, get, resolve, list }
}

/** Finds the provider whose id is `model.provider`; `undefined` if there is none. Later registrations count. */
export const createProviderResolver =
  (source: ProviderRegistry | ReadonlyArray<AIProvider>): ProviderResolver =>
  (model) =>
    "get" in source ? source.get(model.provider) : source.find((provider) => provider.id === model.provider)
