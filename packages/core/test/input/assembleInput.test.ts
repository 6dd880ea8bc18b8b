import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  assembleProviderInput,
  assembleSteps,
  planTurns,
  type ProviderInputParts
} from "../../src/input/assembleInput.ts"
import { ProviderView } from "../../src/input/providerView.ts"
import { createMiddlewareRegistry } from "../../src/middleware/Middleware.ts"
import type { InstructionInjectorContext, PromptParts } from "../../src/ports/Input.ts"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import type { ContentBlock } from "../../src/schema/Content.ts"
import type { Message } from "../../src/schema/Message.ts"
import type { ContextBlock } from "../../src/schema/ProviderRequest.ts"

const model = { provider: "p", model: "m" }
const text = (role: Message["role"], value: string): Message => ({ role, content: [{ type: "text", text: value }] })
const tool = (name: string): ToolDefinition => ({ name, execute: () => ({ toolCallId: "", name }) })
const call = (id: string): ContentBlock => ({ type: "tool_call", id, name: "probe", arguments: {} })
const asked = (id: string): Message => ({ role: "assistant", content: [call(id)] })
const answered = (id: string): Message => ({
  role: "tool",
  content: [{ type: "tool_result", toolCallId: id, name: "probe", result: 1 }]
})
const missing = (id: string): Message => ({
  role: "tool",
  content: [
    {
      type: "tool_result",
      toolCallId: id,
      name: "probe",
      error: {
        message: "Tool call interrupted: no result was recorded; effects unknown",
        code: "ERR_PRISM_TOOL_RESULT_MISSING"
      }
    }
  ]
})
const messages = async (parts: Partial<ProviderInputParts>) =>
  (await assembleProviderInput({ model, input: [], ...parts })).messages

/** Parts in which a host has no say, and the same ones beside a hook that changes nothing: the two ways must agree. */
const assertSent = async (parts: Partial<ProviderInputParts>, expected: ReadonlyArray<Message>): Promise<void> => {
  const middleware = createMiddlewareRegistry()
  middleware.use("context", (value) => value)
  assert.deepEqual(await messages(parts), expected)
  assert.deepEqual(await messages({ ...parts, middleware }), expected)
}

const build = (parts: { readonly history: ReadonlyArray<Message> }) => {
  ;(parts.history as Array<Message>).length = 0
  return []
}

describe("assembleProviderInput", () => {
  it("S43: a hook changes neither the tools sent nor their list in the text", async () => {
    const tools = [tool("read"), tool("write")]
    const middleware = createMiddlewareRegistry()
    middleware.use<PromptParts>("prompt_build", (parts) => ({
      ...parts,
      tools: [tool("evil")],
      model: { provider: "x", model: "y", capabilities: { tools: true } }
    }))
    const assembled = await assembleProviderInput({ model, input: "hi", tools, middleware })
    assert.strictEqual(assembled.tools, tools)
    assert.strictEqual(assembled.model, model)
    assert.deepEqual(assembled.messages, [text("system", "Available tools:\n- read\n- write"), text("user", "hi")])
  })

  it("S58: the request is accepted by a provider after any log, input or builder", async () => {
    await assertSent({ history: [text("user", "1"), asked("a")], input: "go on" }, [
      text("user", "1"),
      asked("a"),
      missing("a"),
      text("user", "go on")
    ])
    await assertSent({ history: [asked("a")], input: [answered("a"), answered("b")] }, [asked("a"), answered("a")])
    const builders = { inputBuilder: { build: () => [answered("z"), asked("a"), text("user", "x"), answered("a")] } }
    assert.deepEqual(await messages(builders), [asked("a"), answered("a"), text("user", "x")])
    const prompt = { promptBuilder: { build: () => [asked("a")] } }
    assert.deepEqual(await messages(prompt), [asked("a"), missing("a")])
  })

  it("S44: results beside the history answer its calls in both layouts", async () => {
    const toolResults = [{ toolCallId: "a", name: "probe", value: 1 }]
    const parts = { history: [asked("a")], input: "next", toolResults }
    const expected = [asked("a"), answered("a"), text("user", "next")]
    assert.deepEqual(await messages({ ...parts, inputLayout: "cache_aware" }), expected)
    assert.deepEqual(await messages({ ...parts, inputLayout: "legacy" }), expected)
  })

  it("S44, S45, S46: without a say of the host: skills, tools, instructions, summaries, history, input", async () => {
    const parts: Partial<ProviderInputParts> = {
      skills: [{ name: "s", instructions: "do" }, { name: "mute" }],
      tools: [tool("read")],
      systemInstructions: ["sys"],
      developerInstructions: ["dev"],
      summaries: ["sum"],
      history: [text("user", "old"), text("assistant", "ok")],
      input: "new"
    }
    const expected = [
      text("system", "Skill s:\ndo"),
      text("system", "Available tools:\n- read"),
      text("system", "System instruction:\nsys"),
      text("system", "Developer instruction:\ndev"),
      text("system", "Summary:\nsum"),
      text("user", "old"),
      text("assistant", "ok"),
      text("user", "new")
    ]
    await assertSent({ ...parts, inputLayout: "cache_aware" }, expected)
    await assertSent({ ...parts, inputLayout: "legacy" }, expected)
    const unlisted = expected.filter((_, at) => at !== 1)
    await assertSent({ ...parts, model: { ...model, capabilities: { tools: true } } }, unlisted)
  })

  it("S58: works in one order: injectors, input, its hooks, context, its hooks, prompt hooks, prompt", async () => {
    const log: Array<string> = []
    const note = <T>(name: string, value: T): T => (log.push(name), value)
    const middleware = createMiddlewareRegistry()
    middleware.use<ReadonlyArray<Message>>("input_assembly", (value) =>
      note("input_assembly", [...value, text("user", "hooked")])
    )
    middleware.use<ReadonlyArray<ContextBlock>>("context", (blocks) =>
      note("context", [...blocks, { title: "H", content: "hooked" }])
    )
    middleware.use<PromptParts>("prompt_build", (parts) =>
      note("prompt_build", { ...parts, messages: [...parts.messages, text("user", "last")] })
    )
    const assembled = await assembleProviderInput({
      model,
      input: [text("user", "hi")],
      middleware,
      instructionInjectors: [
        {
          name: "i",
          apply: () =>
            note("injector", { when: "every_turn", instructions: "inj", contextBlocks: [{ content: "inj" }] })
        }
      ],
      inputBuilder: {
        build: (parts, { layout }) =>
          note(
            "input",
            Effect.succeed([text("system", `${layout} ${parts.systemInstructions.join()}`), ...(parts.input as never)])
          )
      },
      systemInstructions: ["sys"],
      inputLayout: "legacy",
      context: [{ resolve: () => note("provider", Promise.resolve({ content: "agent" })) }],
      skills: [{ name: "s", context: [{ resolve: () => note("skill provider", [{ content: "skill" }]) }] }],
      promptBuilder: {
        build: (parts, { turn }) =>
          note("prompt", [
            ...parts.context.map(({ content }) => text("system", `${content} ${turn}`)),
            ...parts.messages
          ])
      }
    })
    assert.deepEqual(log, [
      "injector",
      "input",
      "input_assembly",
      "provider",
      "skill provider",
      "context",
      "prompt_build",
      "prompt"
    ])
    assert.deepEqual(assembled.messages, [
      text("system", "agent 1"),
      text("system", "skill 1"),
      text("system", "inj 1"),
      text("system", "hooked 1"),
      text("system", "legacy sys,inj"),
      text("user", "hi"),
      text("user", "hooked"),
      text("user", "last")
    ])
    assert.deepEqual(
      assembled.context?.map(({ content }) => content),
      ["agent", "skill", "inj", "hooked"]
    )
  })

  it("S47, S45: context and injected text reach the default builders", async () => {
    const sent = await messages({
      input: "hi",
      systemInstructions: ["sys"],
      context: [{ resolve: () => ({ title: "Now", content: "noon" }) }],
      instructionInjectors: [{ name: "i", apply: () => ({ when: "first_turn", instructions: "first" }) }]
    })
    assert.deepEqual(sent, [
      text("system", "Now:\nnoon"),
      text("system", "System instruction:\nsys"),
      text("system", "System instruction:\nfirst"),
      text("user", "hi")
    ])
  })

  it("S49: an attachment is loaded with the given loader and permission", async () => {
    const refused = assembleProviderInput({ model, input: [], attachments: [{ uri: "u:1" }] })
    assert.strictEqual(await refused.then(String, (error: Error) => error.message), "Resource loader required for u:1")
    const resourceLoader = { load: (uri: string) => ({ uri, text: "body" }) }
    const permission = { check: () => ({ allowed: false }) }
    const denied = assembleProviderInput({
      model,
      input: [],
      attachments: [{ uri: "u:1" }],
      resourceLoader,
      permission
    })
    assert.propertyVal(await denied.catch((error: unknown) => error), "name", "PermissionDeniedError")
    assert.deepEqual(await messages({ attachments: [{ uri: "u:1" }], resourceLoader }), [
      text("user", "Resource u:1:\nbody")
    ])
  })

  it("X16: injectors see input and history without known secrets", async () => {
    const seen: Array<InstructionInjectorContext> = []
    const redactor = { redact: <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll("hunter2", "***")) as T }
    await messages({
      input: "say hunter2",
      history: [text("user", "hunter2")],
      redactor,
      instructionInjectors: [{ name: "i", apply: (context) => void seen.push(context) }]
    })
    assert.strictEqual(seen[0]?.input, "say ***")
    assert.deepEqual(seen[0]?.history, [text("user", "***")])
  })

  it("S14: builders, providers and injectors are given the turn and its signal", async () => {
    const { signal } = new AbortController()
    const seen: Array<unknown> = []
    const see = (context: unknown) => void seen.push(context)
    await messages({
      sessionId: "s",
      runId: "r",
      turn: 3,
      signal,
      metadata: { k: 1 },
      inputBuilder: { build: (_, context) => (see(context), []) },
      promptBuilder: { build: (_, context) => (see(context), []) },
      context: [{ resolve: see }],
      instructionInjectors: [{ name: "i", apply: see }]
    })
    const turn = { sessionId: "s", runId: "r", turn: 3, signal, metadata: { k: 1 } }
    assert.deepEqual(seen, [{ ...turn, input: [], history: [] }, { ...turn, layout: "cache_aware" }, turn, turn])
  })

  it("S58: what a builder does to the list it is given does not reach the session", async () => {
    const history = [text("user", "1")]
    await messages({ history, inputBuilder: { build } })
    assert.deepEqual(history, [text("user", "1")])
    const sent = await messages({ history })
    assert.notStrictEqual(sent, history)
  })
})

describe("assembleSteps", () => {
  it("S58: a run's plan gives the same request, at once", () => {
    const view = new ProviderView()
    const history: Array<Message> = [text("user", "1"), asked("a")]
    const parts: ProviderInputParts = { model, input: "next", history, systemInstructions: ["sys"], tools: [tool("t")] }
    const plan = planTurns({ ...parts, view })
    const before = plan.preamble
    assert.deepEqual(before, [text("system", "Available tools:\n- t"), text("system", "System instruction:\nsys")])
    const sent = () => {
      const step = assembleSteps(plan, { input: "next" }).next()
      assert.isTrue(step.done)
      return (step.value as { readonly messages: ReadonlyArray<Message> }).messages
    }
    assert.deepEqual(sent(), [...before, text("user", "1"), asked("a"), missing("a"), text("user", "next")])
    history.push(answered("a"))
    assert.deepEqual(sent(), [...before, ...history, text("user", "next")])
    const other = planTurns({ model, view, history: [asked("b")] })
    const late = assembleSteps(other, { input: [answered("b")] }).next()
    assert.deepEqual((late.value as { readonly messages: unknown }).messages, [asked("b"), answered("b")])
  })
})
