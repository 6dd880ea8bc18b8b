/** Models by provider and name. */
import { makeKeyedRegistry, type RegistryOptions } from "../ports/KeyedRegistry.ts"
import type { ModelConfig } from "../schema/Model.ts"

/** `resolve` throws `Unknown model: <provider>/<model>`; `list` is in order of first registration. */
export interface ModelRegistry {
  register(model: ModelConfig): void
  get(provider: string, model: string): ModelConfig | undefined
  resolve(provider: string, model: string): ModelConfig
  list(): ReadonlyArray<ModelConfig>
}

/**
 * Models by provider and name. One that is taken is replaced in its place, or refused with `Duplicate model:
 * <provider>/<model>`.
 */
export const createModelRegistry = (
  models: ReadonlyArray<ModelConfig> = [],
  options: RegistryOptions = {}
): ModelRegistry => {
  const registry = makeKeyedRegistry<ModelConfig>("model", options)
  const register = (model: ModelConfig): void =>
    registry.put(keyOf(model.provider, model.model), model, nameOf(model.provider, model.model))
  for (const model of models) register(model)
  return {
    register,
    get: (provider, model) => registry.get(keyOf(provider, model)),
    resolve: (provider, model) => registry.resolve(keyOf(provider, model), nameOf(provider, model)),
    list: registry.list
  }
}

/** A slash may be part of either: names of models often have one. */
const keyOf = (provider: string, model: string): string => `${provider}\0${model}`
const nameOf = (provider: string, model: string): string => `${provider}/${model}`
