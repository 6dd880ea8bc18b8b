import { assert, describe, it } from "@effect/vitest"
import type { ProviderRequest } from "../../src/ports/AIProvider.ts"
import { createSessionCachePolicy, mergeProviderRequestOptions } from "../../src/provider/RequestPolicy.ts"
import type { ProviderRequestOptions } from "../../src/schema/ProviderRequest.ts"

describe("mergeProviderRequestOptions", () => {
  const base: ProviderRequestOptions = {
    sessionId: "s1",
    cacheKey: "k1",
    headers: { a: "1", b: "1" },
    compat: { x: { deep: 1 }, y: 1 },
    extra: { e: 1 },
    cache: { mode: "on", key: "c1", breakpoints: [{ location: "tools" }] },
    structuredOutput: { name: "one", schema: {}, strict: true }
  }

  it("S40: neither side is changed", () => {
    const patch: ProviderRequestOptions = {
      headers: { b: "2" },
      cache: { breakpoints: [{ location: "system_prompt" }] }
    }
    const before = structuredClone([base, patch])
    mergeProviderRequestOptions(base, patch)
    assert.deepEqual([base, patch], before)
  })

  it("S40: what the patch gives wins; what it leaves undefined does not", () => {
    const merged = mergeProviderRequestOptions(base, {
      sessionId: "s2",
      cacheKey: undefined,
      headers: undefined,
      structuredOutput: { name: "two", schema: { type: "object" } }
    })
    assert.strictEqual(merged.sessionId, "s2")
    assert.strictEqual(merged.cacheKey, "k1")
    assert.deepEqual(merged.headers, { a: "1", b: "1" })
    assert.deepEqual(merged.structuredOutput, { name: "two", schema: { type: "object" } })
  })

  it("S40: headers, compat, extra and cache are merged key by key, and no deeper", () => {
    const merged = mergeProviderRequestOptions(base, {
      headers: { b: "2", c: "2" },
      compat: { x: { other: 2 } },
      extra: { f: 2 },
      cache: { key: "c2", retention: "long" }
    })
    assert.deepEqual(merged.headers, { a: "1", b: "2", c: "2" })
    assert.deepEqual(merged.compat, { x: { other: 2 }, y: 1 })
    assert.deepEqual(merged.extra, { e: 1, f: 2 })
    assert.deepEqual(merged.cache, { mode: "on", key: "c2", retention: "long", breakpoints: [{ location: "tools" }] })
  })

  it("S40: breakpoints are those of the base, then those of the patch", () => {
    const patch: ProviderRequestOptions = { cache: { breakpoints: [{ location: "tools", ttl: "long" }] } }
    assert.deepEqual(mergeProviderRequestOptions(base, patch).cache, {
      mode: "on",
      key: "c1",
      breakpoints: [{ location: "tools" }, { location: "tools", ttl: "long" }]
    })
    assert.deepEqual(mergeProviderRequestOptions({}, patch).cache, patch.cache)
  })

  it("S40: one side alone is that side", () => {
    assert.deepEqual(mergeProviderRequestOptions(undefined, base), base)
    assert.deepEqual(mergeProviderRequestOptions(base, undefined), base)
    assert.deepEqual(mergeProviderRequestOptions(undefined, undefined), {})
  })
})

describe("createSessionCachePolicy", () => {
  const request: ProviderRequest = {
    model: { provider: "p", model: "m" },
    messages: [],
    options: { cacheKey: "old", headers: { a: "1" } }
  }
  const context = { sessionId: "s", runId: "r" }

  it("S42: session id, cache key and retention are set, other options stay", () => {
    assert.deepEqual<unknown>(createSessionCachePolicy().apply(request, context), {
      ...request,
      options: { headers: { a: "1" }, sessionId: "s", cacheKey: "s", cacheRetention: "short" }
    })
    assert.deepEqual(request.options, { cacheKey: "old", headers: { a: "1" } })
  })

  it("S42: retention and cache key can be chosen", () => {
    const policy = createSessionCachePolicy({ retention: "long", cacheKey: "mine" })
    const { options: _, ...bare } = request
    assert.deepEqual<unknown>(policy.apply(bare, context), {
      ...bare,
      options: { sessionId: "s", cacheKey: "mine", cacheRetention: "long" }
    })
  })
})
