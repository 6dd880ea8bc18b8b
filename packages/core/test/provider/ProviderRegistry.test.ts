import { assert, describe, it } from "@effect/vitest"
import type { AIProvider } from "../../src/ports/AIProvider.ts"
import { createMockProvider } from "../../src/provider/MockProvider.ts"
import { createProviderRegistry, createProviderResolver } from "../../src/provider/ProviderRegistry.ts"

const provider = (id: string): AIProvider => createMockProvider([], { id })

describe("createProviderRegistry", () => {
  it("D15: a second registration throws where duplicates are errors", () => {
    const twice = [provider("a"), provider("a")]
    assert.throws(() => createProviderRegistry(twice, { duplicate: "error" }), /^Duplicate provider: a$/)
    const registry = createProviderRegistry(twice.slice(0, 1), { duplicate: "error" })
    assert.throws(() => registry.register(provider("a")), /^Duplicate provider: a$/)
    assert.strictEqual(registry.get("a"), twice[0])
  })

  it("D16: an unknown id throws from resolve and is undefined from get", () => {
    const registry = createProviderRegistry([provider("a")])
    assert.throws(() => registry.resolve("b"), /^Unknown provider: b$/)
    assert.isUndefined(registry.get("toString"))
  })

  it("D15, D16: by default a later one replaces an earlier one, in its place", () => {
    const later = provider("b")
    const registry = createProviderRegistry([provider("b"), provider("a")])
    registry.register(later)
    assert.deepEqual(
      registry.list().map(({ id }) => id),
      ["b", "a"]
    )
    assert.strictEqual(registry.resolve("b"), later)
  })
})

describe("createProviderResolver", () => {
  it("D17: a miss is undefined, in a list and in a registry", () => {
    assert.isUndefined(createProviderResolver([])({ provider: "a", model: "m" }))
    assert.isUndefined(createProviderResolver([provider("b")])({ provider: "a", model: "b" }))
    assert.isUndefined(createProviderResolver(createProviderRegistry())({ provider: "a", model: "m" }))
  })

  it("D17: the provider is the one whose id the model names", () => {
    const [a, b] = [provider("a"), provider("b")]
    assert.strictEqual(createProviderResolver([a, b])({ provider: "b", model: "m" }), b)
    const registry = createProviderRegistry([a])
    const resolve = createProviderResolver(registry)
    registry.register(b)
    assert.strictEqual(resolve({ provider: "b", model: "m" }), b)
  })
})
