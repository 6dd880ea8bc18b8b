/** What of a host's parts reaches the requests of a run, and what becomes of the run when one of them fails. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createSkillRegistry } from "../../src/input/skills.ts"
import { createMiddlewareRegistry } from "../../src/middleware/Middleware.ts"
import type { AgentConfig, RunOptions } from "../../src/ports/AgentPort.ts"
import type { ContextProvider } from "../../src/ports/Input.ts"
import { createProviderRegistry, createProviderResolver } from "../../src/provider/ProviderRegistry.ts"
import { createSessionEntry } from "../../src/store/createSessionEntry.ts"
import { createMemorySessionStore } from "../../src/store/memory/MemorySessionStore.ts"
import { createScriptedProvider } from "../../src/testing/ScriptedProvider.ts"
import { failure, gist, model, run, scripted, storedGist, text, tool, toolCall, untyped, user } from "./runs.ts"

const boom = (): never => {
  throw new Error("boom")
}
const block = (content: string): ContextProvider => ({ resolve: () => ({ content }) })
const sent = async (config: Partial<AgentConfig>, options?: RunOptions): Promise<ReadonlyArray<string>> => {
  const { provider, session } = scripted([[text("a")]], config)
  await run(session, "hi", options)
  return gist(provider.requests[0]?.messages ?? [])
}

describe("a part of the host that fails", () => {
  const hook = (name: string) => {
    const middleware = createMiddlewareRegistry({ errorPolicy: "throw" })
    middleware.use(name, boom)
    return { middleware }
  }
  const parts: Readonly<Record<string, Partial<AgentConfig>>> = {
    "a context provider": { context: [{ resolve: boom }] },
    "a context provider that is an Effect": { context: [{ resolve: () => Effect.fail(new Error("boom")) }] },
    "an injector": { instructionInjectors: [{ name: "i", apply: () => Promise.reject(new Error("boom")) }] },
    "an input builder": { inputBuilder: { build: boom } },
    "a prompt builder": { promptBuilder: { build: boom } },
    "a request policy": { providerRequestPolicies: { apply: boom } },
    "an input_assembly hook": hook("input_assembly"),
    "a context hook": hook("context"),
    "a prompt_build hook": hook("prompt_build"),
    "a provider_request hook": hook("provider_request")
  }
  for (const [name, config] of Object.entries(parts)) {
    it(`S7, S55, L31: ${name}: the run fails with its error, sends nothing, keeps the input, and frees the session`, async () => {
      const { provider, session } = scripted([[text("a")]], config)
      const error = await failure(run(session))
      assert.deepStrictEqual([error.message, error.result.status], ["boom", "failed"])
      assert.deepStrictEqual([provider.requests.length, await storedGist(session)], [0, ["user: hi"]])
      assert.strictEqual((await failure(run(session))).message, "boom")
    })
  }

  it("S55: a hook that fails under the default policy is passed over", async () => {
    const told: Array<string> = []
    const middleware = createMiddlewareRegistry({
      onError: ({ error, extension }) => void told.push(`${extension} ${error.message}`)
    })
    for (const name of [
      "input_assembly",
      "context",
      "prompt_build",
      "provider_request",
      "retry",
      "tool_call",
      "tool_result"
    ]) {
      middleware.use(name, boom)
    }
    const { session } = scripted([[toolCall("c", "t")], [text("a")]], { middleware, tools: [tool("t")] })
    assert.strictEqual((await run(session)).text, "a")
    assert.include(told, "middleware:provider_request boom")
    assert.include(told, "middleware:tool_result boom")
  })
})

describe("the requests of a run", () => {
  it("D16, D17: go to the provider that a registry has for the model; none there is the failure of S3", async () => {
    const provider = createScriptedProvider([[text("a")]], { id: "known" })
    const providerSource = createProviderResolver(createProviderRegistry([provider]))
    const { session } = scripted([], { provider: undefined, providerSource, model: { ...model, provider: "known" } })
    assert.strictEqual((await run(session)).text, "a")
    const unknown = run(session, "hi", { model: { ...model, provider: "unknown" } })
    assert.strictEqual((await failure(unknown)).message, "Unknown provider: unknown")
    const listed = createProviderResolver([provider])
    assert.strictEqual((await run(session, "hi", { providerSource: listed })).text, "a")
  })

  it("S44, S45: have instructions, context, skills and summaries in their wording and order, behind them history and input", async () => {
    const store = createMemorySessionStore([
      createSessionEntry({ id: "1", sessionId: "s", kind: "message", message: user("earlier") }),
      createSessionEntry({ id: "2", parentId: "1", sessionId: "s", kind: "summary", summary: "so far" })
    ])
    const config = {
      store,
      instructions: "be brief",
      context: [{ resolve: () => ({ title: "Time", content: "noon" }) }],
      skills: [{ name: "maths", instructions: "count" }]
    }
    const { provider, session } = scripted([[text("a")]], config, { id: "s" })
    await run(session)
    assert.deepStrictEqual(gist(provider.requests[0]?.messages ?? []), [
      "system: Time:\nnoon",
      "system: Skill maths:\ncount",
      "system: System instruction:\nbe brief",
      "system: Summary:\nso far",
      "user: earlier",
      "user: hi"
    ])
  })

  it("S44: are laid out as the run says, else as the agent says", async () => {
    const seen: Array<string> = []
    const inputBuilder = {
      build: (_: unknown, { layout }: { readonly layout: string }) => {
        seen.push(layout)
        return [user("built")]
      }
    }
    assert.deepStrictEqual(await sent({ inputBuilder }), ["user: built"])
    await sent({ inputBuilder, inputLayout: "legacy" })
    await sent({ inputBuilder, inputLayout: "legacy" }, { inputLayout: "cache_aware" })
    assert.deepStrictEqual(seen, ["cache_aware", "legacy", "cache_aware"])
  })

  it("S43, S46: list the tools as text only for a model that takes none; they carry the tools either way", async () => {
    const tools = [tool("t", undefined, { description: "does t" })]
    const { capabilities: _, ...plain } = model
    assert.deepStrictEqual(await sent({ tools }), ["user: hi"])
    assert.deepStrictEqual(await sent({ tools, model: plain }), ["system: Available tools:\n- t: does t", "user: hi"])
  })

  it("S47: ask the agent's context providers before the skills', once per turn", async () => {
    const asked: Array<string> = []
    const asking = (name: string): ContextProvider => ({
      resolve: ({ turn }) => {
        asked.push(`${name} ${turn}`)
        return { content: name }
      }
    })
    const { session } = scripted([[toolCall("c", "t")], [text("a")]], {
      tools: [tool("t")],
      context: [asking("one"), asking("two")],
      skills: [{ name: "s", context: [asking("skill")] }]
    })
    await run(session)
    assert.deepStrictEqual(asked, ["one 1", "two 1", "skill 1", "one 2", "two 2", "skill 2"])
  })

  it("S47, S14: ask no further context provider behind an abort", async () => {
    const asked: Array<string> = []
    const { provider, session } = scripted([[text("a")]], {
      context: [
        {
          resolve: () => {
            session.abort("enough")
            return undefined
          }
        },
        { resolve: () => void asked.push("second") }
      ]
    })
    assert.strictEqual((await failure(run(session))).result.abortReason, "enough")
    assert.deepStrictEqual([asked, provider.requests.length], [[], 0])
  })

  it("S48: have the skills of a list, and of a registry only those that are selected", async () => {
    const [one, two] = [
      { name: "one", instructions: "1" },
      { name: "two", instructions: "2" }
    ]
    const skills = createSkillRegistry([one, two])
    assert.deepStrictEqual(await sent({ skills: [one, two] }), [
      "system: Skill one:\n1",
      "system: Skill two:\n2",
      "user: hi"
    ])
    assert.deepStrictEqual(await sent({ skills }), ["user: hi"])
    assert.deepStrictEqual(await sent({ skills }, { activeSkills: ["two"] }), ["system: Skill two:\n2", "user: hi"])
    assert.deepStrictEqual(await sent({ skills }, { skills: [one] }), ["system: Skill one:\n1", "user: hi"])
    assert.lengthOf(await sent({ skills, activateAllSkills: true }), 3)
  })

  it("S51, S52: have the run's prompt layers over the agent's, or the instructions alone", async () => {
    const config = { instructions: "base", systemPrompt: { text: "agent" } }
    assert.deepStrictEqual(await sent(config, { systemPrompt: { text: "run", source: "run" } }), [
      "system: System instruction:\nbase\n\nagent\n\nrun",
      "user: hi"
    ])
    assert.deepStrictEqual(await sent(config, { systemPrompt: false }), [
      "system: System instruction:\nbase",
      "user: hi"
    ])
  })

  it("S58: are assembled once per turn and not again for a retry", async () => {
    let assembled = 0
    const middleware = createMiddlewareRegistry()
    middleware.use("input_assembly", () => {
      assembled += 1
    })
    const { provider, session } = scripted(
      [[{ fail: Object.assign(new Error("x"), { code: 503 }) }], [toolCall("c", "t")], [text("a")]],
      { middleware, retry: { baseDelayMs: 0 }, tools: [tool("t")] }
    )
    await run(session)
    assert.deepStrictEqual([assembled, provider.requests.length], [2, 3])
  })

  it("S58, R21: are made of documented fields alone: no credential, setting or extension is asked", async () => {
    const trap = { resolve: boom, get: boom, setup: boom }
    const config = untyped<Partial<AgentConfig>>({ credentials: trap, settings: trap, extensions: [trap] })
    const { provider, session } = scripted([[text("a")]], config)
    assert.strictEqual((await run(session)).text, "a")
    const given = Object.entries(provider.requests[0] ?? {}).filter(([, value]) => value !== undefined)
    assert.deepStrictEqual(given.map(([name]) => name).toSorted(), [
      "messages",
      "metadata",
      "model",
      "options",
      "signal",
      "tools"
    ])
  })

  it("L32, R11: hand injectors the run's own input and history, clean", async () => {
    const seen: Array<string> = []
    const { provider, session } = scripted([[text("a")]], {
      instructionInjectors: [
        {
          name: "i",
          apply: ({ history, input, turn }) => {
            seen.push(`${turn} ${JSON.stringify(input)} over ${history.length}`)
            return { when: "every_turn", instructions: "injected" }
          }
        }
      ],
      context: [block("shown")]
    })
    await run(session, "one")
    assert.deepStrictEqual(seen, [`1 ${JSON.stringify([user("one")])} over 0`])
    assert.deepStrictEqual(gist(provider.requests[0]?.messages ?? []), [
      "system: Context:\nshown",
      "system: System instruction:\ninjected",
      "user: one"
    ])
  })
})
