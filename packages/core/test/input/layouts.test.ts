import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createDefaultInputBuilder, createDefaultPromptBuilder } from "../../src/input/layouts.ts"
import type { AssemblyContext, Attachment, InputParts, PromptParts, ResourceLoader } from "../../src/ports/Input.ts"
import type { Message } from "../../src/schema/Message.ts"

const context: AssemblyContext = {
  sessionId: "s",
  runId: "r",
  turn: 1,
  signal: new AbortController().signal,
  metadata: {}
}
const nothing: InputParts = {
  input: [],
  history: [],
  systemInstructions: [],
  developerInstructions: [],
  summaries: [],
  attachments: [],
  toolResults: []
}
const build = async (
  parts: Partial<InputParts>,
  layout: "cache_aware" | "legacy" = "cache_aware",
  source?: Parameters<typeof createDefaultInputBuilder>[0]
) =>
  (await createDefaultInputBuilder(source).build(
    { ...nothing, ...parts },
    { ...context, layout }
  )) as ReadonlyArray<Message>

const text = (role: Message["role"], value: string): Message => ({ role, content: [{ type: "text", text: value }] })
const attached = async (attachment: Attachment, source?: Parameters<typeof createDefaultInputBuilder>[0]) =>
  await build({ attachments: [attachment] }, "cache_aware", source)

const messageOf = (attempt: Promise<unknown>) => attempt.then(String, (error: Error) => error.message)

describe("createDefaultInputBuilder", () => {
  it("S49: a resource without a loader, or without permission, is refused, and nothing is loaded", async () => {
    const loaded: Array<string> = []
    const resourceLoader: ResourceLoader = { load: (uri) => (loaded.push(uri), { uri, text: "never" }) }
    assert.strictEqual(await messageOf(attached({ uri: "file:///x" })), "Resource loader required for file:///x")
    const asked: Array<unknown> = []
    const check = (request: unknown) => (asked.push(request), { allowed: false, reason: "no" })
    const error = await attached({ uri: "file:///x" }, { resourceLoader, permission: { check } }).catch(
      (e: unknown) => e
    )
    assert.propertyVal(error, "name", "PermissionDeniedError")
    assert.deepEqual(asked, [{ kind: "resource", action: "load", target: "file:///x" }])
    assert.deepEqual(loaded, [])
  })

  it("S45, S49: a loaded resource is a user message under its name or URI", async () => {
    const signals: Array<AbortSignal> = []
    const loader = (name?: string): ResourceLoader => ({
      load: (uri, { signal }) => (
        signals.push(signal),
        Effect.succeed({ uri, text: "body", ...(name !== undefined && { name }) })
      )
    })
    const permission = { check: () => Promise.resolve({ allowed: true }) }
    assert.deepEqual(await attached({ uri: "u:1" }, { resourceLoader: loader() }), [
      text("user", "Resource u:1:\nbody")
    ])
    assert.deepEqual(await attached({ uri: "u:1" }, { resourceLoader: loader("notes"), permission }), [
      text("user", "Resource notes:\nbody")
    ])
    assert.deepEqual(signals, [context.signal, context.signal])
  })

  it("S45: an attachment is a user message with its text and content", async () => {
    const image = { type: "image", url: "https://example.com/a.png" } as const
    assert.deepEqual(await attached({ name: "a.txt", text: "body" }), [text("user", "Attachment a.txt:\nbody")])
    assert.deepEqual(await attached({ text: "body" }), [text("user", "body")])
    assert.deepEqual(await attached({ name: "a.png", content: [image] }), [{ role: "user", content: [image] }])
    assert.deepEqual(await attached({ name: "n", uri: "u:1", text: "here" }), [text("user", "Attachment n:\nhere")])
  })

  it("S5: text is one user message, messages are kept as they are", async () => {
    const own: Message = { id: "m1", role: "system", content: [], metadata: { kept: true } }
    assert.deepEqual(await build({ input: "hi" }), [text("user", "hi")])
    assert.strictEqual((await build({ input: own }))[0], own)
    assert.strictEqual((await build({ input: [own, own] }))[1], own)
  })

  const all: Partial<InputParts> = {
    input: "new",
    history: [text("user", "old")],
    systemInstructions: ["be", "kind"],
    developerInstructions: ["dev"],
    summaries: ["before"],
    attachments: [{ text: "file" }],
    toolResults: [
      {
        toolCallId: "c",
        name: "probe",
        value: 1,
        content: [{ type: "text", text: "more" }],
        metadata: { k: 1 }
      },
      { toolCallId: "d", name: "probe", error: { message: "bad" } }
    ]
  }
  const instructions = [
    text("system", "System instruction:\nbe"),
    text("system", "System instruction:\nkind"),
    text("system", "Developer instruction:\ndev")
  ]
  const results: ReadonlyArray<Message> = [
    {
      role: "tool",
      content: [
        { type: "tool_result", toolCallId: "c", name: "probe", result: 1 },
        { type: "text", text: "more" }
      ],
      metadata: { k: 1 }
    },
    { role: "tool", content: [{ type: "tool_result", toolCallId: "d", name: "probe", error: { message: "bad" } }] }
  ]
  const [summary, file, old, fresh] = [
    text("system", "Summary:\nbefore"),
    text("user", "file"),
    text("user", "old"),
    text("user", "new")
  ]

  it("S44, S45, T30: cache_aware sends instructions, attachments, summaries, history, tool results, input", async () => {
    assert.deepEqual(await build(all), [...instructions, file, summary, old, ...results, fresh] as Array<Message>)
  })

  it("S44: legacy sends instructions, summaries, history, input, attachments, tool results", async () => {
    assert.deepEqual(await build(all, "legacy"), [
      ...instructions,
      summary,
      old,
      fresh,
      file,
      ...results
    ] as Array<Message>)
  })
})

const tool = (name: string, description?: string) => ({
  name,
  ...(description !== undefined && { description }),
  execute: () => ({ toolCallId: "", name })
})

describe("createDefaultPromptBuilder", () => {
  const parts: PromptParts = {
    model: { provider: "p", model: "m" },
    messages: [text("user", "hi")],
    context: [{ title: "Weather", content: "rain" }, { content: "plain" }],
    skills: [
      { name: "write", instructions: "Write well." },
      { name: "mute", description: "no text" }
    ],
    tools: [tool("read", "Reads."), tool("stop")]
  }
  const prompt = (changes: Partial<PromptParts>) =>
    createDefaultPromptBuilder().build({ ...parts, ...changes }, context)
  const before = [
    text("system", "Weather:\nrain"),
    text("system", "Context:\nplain"),
    text("system", "Skill write:\nWrite well.")
  ]

  it("S46: the list of tools is left out for a model that takes tools, and only for that", () => {
    const capable = { provider: "p", model: "m", capabilities: { tools: true } }
    assert.deepEqual(prompt({ model: capable }), [...before, text("user", "hi")])
    const incapable = { provider: "p", model: "m", capabilities: { tools: false } }
    assert.strictEqual((prompt({ model: incapable }) as ReadonlyArray<Message>).length, 5)
  })

  it("S44, S45, S48: context, skills and the list of tools stand before the messages", () => {
    assert.deepEqual(prompt({}), [
      ...before,
      text("system", "Available tools:\n- read: Reads.\n- stop"),
      text("user", "hi")
    ])
    assert.deepEqual(prompt({ tools: [], skills: [], context: [] }), [text("user", "hi")])
  })
})
