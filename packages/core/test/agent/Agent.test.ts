import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import { makeAgent } from "../../src/agent/Agent.ts"
import type { AgentConfig } from "../../src/ports/AgentPort.ts"
import { Provider } from "../../src/provider/Provider.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { createMemorySessionStore } from "../../src/store/memory/MemorySessionStore.ts"
import { createScriptedProvider } from "../../src/testing/ScriptedProvider.ts"
import { createToolRegistry } from "../../src/tool/ToolRegistry.ts"
import { Tools } from "../../src/tool/Tools.ts"
import { model, tool, untyped } from "../run/runs.ts"

const withServices = <A>(context: Context.Context<A>) => untyped<Context.Context<never>>(context)

describe("makeAgent", () => {
  it("refuses a config that is none, a bad limit, a bad retry and a bad tool at once", () => {
    const bad: ReadonlyArray<readonly [unknown, string]> = [
      [undefined, "model must name a provider and a model"],
      [{}, "model must name a provider and a model"],
      [{ model: { provider: "p" } }, "model must name a provider and a model"],
      [{ model, limits: { maxTurns: 0 } }, "maxTurns must be a positive safe integer at most 10000"],
      [{ model, limits: { maxSteps: 1 } }, "Unknown limit: maxSteps"],
      [{ model, retry: { maxAttempts: 0 } }, "retry.maxAttempts must be a positive safe integer at most 100, not 0"]
    ]
    for (const [config, message] of bad)
      assert.throws(() => makeAgent(untyped<AgentConfig>(config)), TypeError, message)
    assert.throws(() => makeAgent({ model, tools: [tool("")] }))
  })

  it("T1: takes a list or a registry of tools; the config's win over the service's", () => {
    const registry = createToolRegistry([tool("registered")])
    const context = withServices(Context.make(Tools, createToolRegistry([tool("service")])))
    const names = (config: Partial<AgentConfig>, services?: Context.Context<never>) =>
      makeAgent({ model, ...config }, services)
        .registry.list()
        .map(({ name }) => name)
    assert.deepStrictEqual(names({}), [])
    assert.deepStrictEqual(names({ tools: [tool("listed")] }), ["listed"])
    assert.strictEqual(makeAgent({ model, tools: registry }).registry, registry)
    assert.deepStrictEqual(names({}, context), ["service"])
    assert.deepStrictEqual(names({ tools: [tool("listed")] }, context), ["listed"])
  })

  it("S3: takes provider and store of the context; the config's store wins", () => {
    const [provider, ofContext, ofConfig] = [
      createScriptedProvider([]),
      createMemorySessionStore(),
      createMemorySessionStore()
    ]
    const context = withServices(
      Context.make(Provider, { resolve: () => provider }).pipe(Context.add(SessionStore, ofContext))
    )
    assert.strictEqual(makeAgent({ model }, context).resolveProvider?.(model), provider)
    assert.strictEqual(makeAgent({ model }, context).store, ofContext)
    assert.strictEqual(makeAgent({ model, store: ofConfig }, context).store, ofConfig)
    assert.deepStrictEqual([makeAgent({ model }).store, makeAgent({ model }).resolveProvider], [undefined, undefined])
  })
})
