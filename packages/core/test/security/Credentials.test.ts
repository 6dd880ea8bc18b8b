import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Credential, CredentialResolver, SettingsProvider } from "../../src/ports/Credentials.ts"
import {
  createChainedCredentialResolver,
  createChainedSettingsProvider,
  createEnvCredentialResolver,
  createExplicitCredentialResolver,
  createMemoryCredentialStore,
  createStaticSettingsProvider,
  refreshOAuthCredential,
  resolveCredentialValue
} from "../../src/security/Credentials.ts"

class Down extends Data.TaggedError("Down")<{ readonly message: string }> {}

const key = (value: string): Credential => ({ type: "api_key", value })

/** A resolver that answers as told and counts how often it was asked. */
const source = (answer: Credential | undefined) => {
  const resolver = { asked: 0, resolve: () => (resolver.asked++, Promise.resolve(answer)) }
  return resolver
}

describe("createEnvCredentialResolver", () => {
  it("R17: a missing mapping, a missing variable and an empty one are no credential", () => {
    const resolver = createEnvCredentialResolver({ EMPTY: "", GONE: undefined }, { a: "EMPTY", b: "GONE", c: "NEVER" })
    for (const name of ["a", "b", "c", "d"]) assert.isUndefined(resolver.resolve({ name }))
  })

  it("R16: only the object that was passed is read, and only its own members", () => {
    process.env["PRISM_TEST_KEY"] = "ambient"
    const resolver = createEnvCredentialResolver({}, { apiKey: "PRISM_TEST_KEY", other: "constructor" })
    assert.isUndefined(resolver.resolve({ name: "apiKey" }))
    assert.isUndefined(resolver.resolve({ name: "other" }))
    assert.isUndefined(resolver.resolve({ name: "toString" }))
    delete process.env["PRISM_TEST_KEY"]
  })

  it("R16: provider and name come before the provider, that before the name; without a provider only the name counts", () => {
    const env = { A: "both", B: "provider", C: "name" }
    const map = { "p:k": "A", p: "B", k: "C" }
    const value = (request: { name: string; provider?: string }, names: Record<string, string> = map) =>
      (createEnvCredentialResolver(env, names).resolve(request) as Credential | undefined)?.value
    assert.strictEqual(value({ name: "k", provider: "p" }), "both")
    assert.strictEqual(value({ name: "k", provider: "p" }, { p: "B", k: "C" }), "provider")
    assert.strictEqual(value({ name: "k", provider: "p" }, { k: "C" }), "name")
    assert.strictEqual(value({ name: "k" }), "name")
    assert.isUndefined(value({ name: "k", provider: "p" }, { "p:k": "NONE", p: "B", k: "C" }))
  })

  it("R17: a hit names the variable, and the environment is read at each use", () => {
    const env = { A: "one" }
    const resolver = createEnvCredentialResolver(env, { k: "A" })
    const hit = { type: "api_key", value: "one", metadata: { source: "env", envName: "A" } }
    assert.deepEqual<unknown>(resolver.resolve({ name: "k" }), hit)
    env.A = "two"
    assert.deepEqual<unknown>(resolver.resolve({ name: "k" }), { ...hit, value: "two" })
  })
})

describe("createChainedCredentialResolver, createExplicitCredentialResolver", () => {
  it("R18: the first defined credential wins and later sources are not asked", async () => {
    const [none, first, later] = [source(undefined), source(key("first")), source(key("later"))]
    const sources = [none, first, later]
    const chained = createChainedCredentialResolver(sources)
    const explicit = createExplicitCredentialResolver(sources.map((resolver) => ({ name: "any", resolver })))
    assert.deepEqual(await chained.resolve({ name: "k" }), key("first"))
    assert.deepEqual(await explicit.resolve({ name: "k" }), key("first"))
    assert.deepEqual([none.asked, first.asked, later.asked], [2, 2, 0])
  })

  it("R18: nothing is remembered, and no source means no credential", async () => {
    const one = source(key("v"))
    const chained = createChainedCredentialResolver([one])
    await chained.resolve({ name: "k" })
    await chained.resolve({ name: "k" })
    assert.strictEqual(one.asked, 2)
    assert.isUndefined(createChainedCredentialResolver([]).resolve({ name: "k" }))
  })

  it("R18: a source that fails fails the chain: a later one is not taken in its place", async () => {
    const later = source(key("later"))
    const failing: CredentialResolver = { resolve: () => Effect.fail(new Down({ message: "locked" })) }
    const error = await Promise.resolve(createChainedCredentialResolver([failing, later]).resolve({ name: "k" })).catch(
      (reason: unknown) => reason
    )
    assert.propertyVal(error, "message", "locked")
    assert.strictEqual(later.asked, 0)
  })
})

describe("createMemoryCredentialStore", () => {
  it("R20: a provider's record is not given to another provider, nor without one", () => {
    const store = createMemoryCredentialStore([{ name: "k", provider: "p", credential: key("of p") }])
    assert.isUndefined(store.resolve({ name: "k" }))
    assert.isUndefined(store.resolve({ name: "k", provider: "q" }))
    assert.isUndefined(store.resolve({ name: 'k","p' }))
  })

  it("R20: a provider's own record comes first, then the one of that name without a provider", () => {
    const store = createMemoryCredentialStore([{ name: "k", credential: key("any") }])
    store.set({ name: "k", provider: "p", credential: key("of p") })
    assert.deepEqual(store.resolve({ name: "k", provider: "p" }), key("of p"))
    assert.deepEqual(store.resolve({ name: "k", provider: "q" }), key("any"))
    assert.isTrue(store.delete({ name: "k", provider: "p" }))
    assert.isFalse(store.delete({ name: "k", provider: "p" }))
    assert.deepEqual(store.resolve({ name: "k", provider: "p" }), key("any"))
    store.set({ name: "k", credential: key("new") })
    assert.deepEqual(store.resolve({ name: "k" }), key("new"))
    store.clear()
    assert.isUndefined(store.resolve({ name: "k" }))
  })
})

describe("resolveCredentialValue", () => {
  const request = { name: "apiKey", provider: "p" }

  it("R19: no source, and a source without an answer, have no value", async () => {
    assert.isUndefined(await resolveCredentialValue(undefined, request))
    assert.isUndefined(await resolveCredentialValue(() => undefined, request))
    assert.isUndefined(await resolveCredentialValue(source(undefined), request))
  })

  it("R19: text as it is, a function called at every use, a resolver's value for this request", async () => {
    let calls = 0
    const call = () => Promise.resolve(`v${++calls}`)
    assert.strictEqual(await resolveCredentialValue("text", request), "text")
    assert.strictEqual(await resolveCredentialValue(call, request), "v1")
    assert.strictEqual(await resolveCredentialValue(call, request), "v2")
    const seen: Array<unknown> = []
    const resolver: CredentialResolver = { resolve: (asked) => (seen.push(asked), Effect.succeed(key("r"))) }
    assert.strictEqual(await resolveCredentialValue(resolver, request), "r")
    assert.deepEqual(seen, [request])
  })

  it("R19: a source that throws rejects with its own error", async () => {
    const error = new Error("locked")
    const failing = () => {
      throw error
    }
    assert.strictEqual(await resolveCredentialValue(failing, request).catch((reason: unknown) => reason), error)
  })
})

describe("refreshOAuthCredential", () => {
  const old = { accessToken: "old", refreshToken: "r" }

  it("R22: what the provider refreshed is stored under its id and returned", async () => {
    const stored: Array<unknown> = []
    const provider = { id: "p", refresh: (given: typeof old) => Promise.resolve({ ...given, accessToken: "new" }) }
    const store = { set: (id: string, credentials: unknown) => Promise.resolve(stored.push([id, credentials])) }
    const fresh = { accessToken: "new", refreshToken: "r" }
    assert.deepEqual(await refreshOAuthCredential({ provider, credentials: old, store }), fresh)
    assert.deepEqual(stored, [["p", fresh]])
    assert.deepEqual(await refreshOAuthCredential({ provider, credentials: old }), fresh)
  })

  it("R22: a failed refresh stores nothing", async () => {
    const stored: Array<unknown> = []
    const provider = { id: "p", refresh: () => Promise.reject(new Error("expired")) }
    const store = { set: (...row: ReadonlyArray<unknown>) => stored.push(row) }
    const error = await refreshOAuthCredential({ provider, credentials: old, store }).catch((reason: unknown) => reason)
    assert.propertyVal(error, "message", "expired")
    assert.deepEqual(stored, [])
  })

  it("R22: a provider that cannot refresh gets the same credentials back", async () => {
    const stored: Array<unknown> = []
    const store = { set: (...row: ReadonlyArray<unknown>) => stored.push(row) }
    assert.strictEqual(await refreshOAuthCredential({ provider: { id: "p" }, credentials: old, store }), old)
    assert.deepEqual(stored, [])
  })
})

describe("createStaticSettingsProvider, createChainedSettingsProvider", () => {
  it("R23: a missing, an inherited and a too long path are undefined", () => {
    const settings = createStaticSettingsProvider({ a: { b: 1, text: "t" } })
    for (const path of ["b", "a.c", "a.b.c", "a.text.length", "constructor", "a.toString", "__proto__", ""]) {
      assert.isUndefined(settings.get(path), path)
    }
  })

  it("R23: a dotted path leads into members", () => {
    const settings = createStaticSettingsProvider({ a: { b: { c: false } }, list: [{ x: 1 }], n: null })
    assert.strictEqual(settings.get("a.b.c"), false)
    assert.deepEqual(settings.get("a.b"), { c: false })
    assert.strictEqual(settings.get("list.0.x"), 1)
    assert.isNull(settings.get("n"))
  })

  it("R23: the first defined value of a chain wins, falsy ones included, and later providers are not asked", async () => {
    const asked: Array<string> = []
    const late: SettingsProvider = { get: (path) => (asked.push(path), Promise.resolve("late")) }
    const chain = createChainedSettingsProvider([
      createStaticSettingsProvider({ zero: 0 }),
      createStaticSettingsProvider({ zero: 1, one: 1 }),
      late
    ])
    assert.strictEqual(await chain.get("zero"), 0)
    assert.strictEqual(await chain.get("one"), 1)
    assert.deepEqual(asked, [])
    assert.strictEqual(await chain.get("two"), "late")
    assert.isUndefined(createChainedSettingsProvider([]).get("zero"))
  })
})
