/** What is laid over the options of a request before it is sent. */
import type { ProviderRequestPolicy } from "../ports/AIProvider.ts"
import type { CacheRetention, ProviderRequestOptions } from "../schema/ProviderRequest.ts"

type Options = ProviderRequestOptions

/**
 * `patch` over `base`: what `patch` gives wins, `headers`, `compat`, `extra` and `cache` are merged key by key, and
 * cache breakpoints are those of `base` followed by those of `patch`. Neither is changed. A member that is `undefined`
 * is absent.
 */
export const mergeProviderRequestOptions = (base: Options | undefined, patch: Options | undefined): Options => {
  if (base === undefined || patch === undefined) return base ?? patch ?? {}
  const merged: Options = {
    ...base,
    ...present(patch),
    ...mergedMember("headers", base.headers, patch.headers),
    ...mergedMember("compat", base.compat, patch.compat),
    ...mergedMember("extra", base.extra, patch.extra),
    ...mergedMember("cache", base.cache, patch.cache)
  }
  const before = base.cache?.breakpoints
  const after = patch.cache?.breakpoints
  if (before === undefined || after === undefined) return merged
  return { ...merged, cache: { ...merged.cache, breakpoints: [...before, ...after] } }
}

/** One that is missing on either side needs no merge. */
const mergedMember = (name: keyof Options, base: object | undefined, patch: object | undefined): Options =>
  base === undefined || patch === undefined ? {} : { [name]: { ...base, ...present(patch) } }

const present = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))

export interface SessionCachePolicyOptions {
  /** `short` by default. */
  readonly retention?: CacheRetention | undefined
  /** The session id by default. */
  readonly cacheKey?: string | undefined
}

/** Lets a provider cache by session: sets `sessionId`, `cacheKey` and `cacheRetention` of every request. */
export const createSessionCachePolicy = (options: SessionCachePolicyOptions = {}): ProviderRequestPolicy => ({
  name: "session-cache",
  apply: (request, { sessionId }) => ({
    ...request,
    options: mergeProviderRequestOptions(request.options, {
      sessionId,
      cacheKey: options.cacheKey ?? sessionId,
      cacheRetention: options.retention ?? "short"
    })
  })
})
