/** Where a run gets its model from. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { AIProvider, ProviderResolver } from "../ports/AIProvider.ts"

/**
 * Finds the provider of a model. Its events are pulled by plain code, one `next()` at a time: nothing is read ahead, and
 * an abort closes the iterator.
 */
export class Provider extends Context.Service<Provider, { readonly resolve: ProviderResolver }>()(
  "@arnilo/prism-core/provider/Provider"
) {
  /** One provider for every model. */
  static readonly layer = (provider: AIProvider) => Layer.succeed(Provider, { resolve: () => provider })
  static readonly layerResolver = (resolve: ProviderResolver) => Layer.succeed(Provider, { resolve })
}
