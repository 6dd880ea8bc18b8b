import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AgentRunError } from "../../src/errors/AgentRunError.ts"
import type { RunOptions } from "../../src/ports/AgentPort.ts"
import { createSessionCachePolicy } from "../../src/provider/RequestPolicy.ts"
import type { Message } from "../../src/schema/Message.ts"
import { createScriptedProvider } from "../../src/testing/ScriptedProvider.ts"
import {
  assertAnswered,
  collect,
  eventsOf,
  failure,
  gate,
  gist,
  model,
  recordingLedger,
  rejection,
  run,
  scripted,
  sessionOver,
  storedGist,
  text,
  tool,
  toolCall,
  typesOf,
  untyped,
  user
} from "./runs.ts"

const done = { type: "done" } as const

describe("a run", () => {
  it("S3, D17: takes the agent's provider, else the run's resolver, else the agent's, for the model of the run", async () => {
    const named = (id: string) => createScriptedProvider([[text(id)]], { id })
    const asked: Array<string> = []
    const source = (id: string) => (wanted: { readonly model: string }) => {
      asked.push(`${id} ${wanted.model}`)
      return id === "none" ? undefined : named(id)
    }
    const { session } = scripted([[text("own")]], { providerSource: source("agent") })
    assert.strictEqual((await run(session, "hi", { providerSource: source("run") })).text, "own")
    const over = sessionOver(() => undefined, { provider: undefined, providerSource: source("agent") })
    assert.strictEqual((await run(over, "hi", { providerSource: source("run") })).text, "run")
    assert.strictEqual((await run(over, "hi", { providerSource: source("none") })).text, "agent")
    await run(over, "hi", { model: { provider: "p2", model: "m2" } })
    assert.deepStrictEqual(asked, ["run m", "none m", "agent m", "agent m2"])
  })

  it("S4: resolves, tells, records, rebuilds, notes the model, appends the input, then loops", async () => {
    const order: Array<string> = []
    const { ledger } = recordingLedger((row) => void order.push(row))
    const { session } = scripted(
      [[{ run: () => order.push("generate") }, text("a")]],
      {
        providerSource: () => undefined,
        runLedger: ledger,
        store: {
          append: ({ kind, message }) => void order.push(`append ${message?.role ?? kind}`),
          list: () => {
            order.push("list")
            return []
          }
        }
      },
      { id: "resumed" }
    )
    const loop = { name: "l", run: () => void order.push("loop") }
    await run(session, [user("one"), user("two")], { model: { ...model, model: "other" }, loop })
    assert.deepStrictEqual(order, [
      "event agent_started",
      "run running",
      "list",
      "append model_change",
      "append user",
      "append user",
      "loop",
      "run succeeded",
      "event agent_finished"
    ])
  })

  it("S4: a run whose model is the agent's notes no change", async () => {
    const { session } = scripted([[text("a")]])
    await run(session, "hi", { model: { ...model, displayName: "same" } })
    await run(session, "hi", { model: { ...model, model: "other" } })
    const entries = await Effect.runPromise(session.entries())
    const changes = entries.filter(({ kind }) => kind === "model_change")
    assert.deepStrictEqual(
      changes.map((entry) => [entry.model?.model, entry.previousModel?.model]),
      [["other", "m"]]
    )
  })

  it("S5: text is one user message; messages keep roles, ids and metadata", async () => {
    const { provider, session } = scripted([[text("a")]])
    const given: ReadonlyArray<Message> = [
      { role: "system", content: [{ type: "text", text: "be brief" }] },
      { id: "m1", role: "user", content: [{ type: "text", text: "one" }], metadata: { from: "me" } }
    ]
    await run(session, "zero")
    await run(session, given)
    assert.deepStrictEqual(provider.requests[0]?.messages, [user("zero")])
    assert.deepStrictEqual(provider.requests[1]?.messages.slice(2), given)
    await run(session, user("three"))
    assert.deepStrictEqual(provider.requests[2]?.messages.at(-1), user("three"))
  })

  it("S5: no new input lets the model go on", async () => {
    const { provider, session } = scripted([[text("a")]])
    await run(session)
    await run(session, [])
    assert.deepStrictEqual(gist(provider.requests[1]?.messages ?? []), ["user: hi", "assistant: a"])
  })

  it("S5: what the host does to its message afterwards changes no transcript", async () => {
    const { provider, session } = scripted([[text("a")]])
    const block = { type: "text" as const, text: "before" }
    const message = { role: "user" as const, content: [block], metadata: { at: 1 } }
    await run(session, message)
    block.text = "after"
    message.content.push({ type: "text", text: "more" })
    await run(session, "next")
    assert.deepStrictEqual(gist(provider.requests[1]?.messages ?? []), ["user: before", "assistant: a", "user: next"])
    assert.deepStrictEqual(await storedGist(session), ["user: before", "assistant: a", "user: next", "assistant: a"])
  })

  it("S6: the result is that of the last message of this run, and of no earlier run", async () => {
    const { session } = scripted([
      [
        { type: "message_start", messageId: "m1" },
        text("a"),
        { type: "content_delta", content: { type: "thinking", text: "?" } },
        text("b")
      ],
      [done]
    ])
    const first = await run(session)
    const message = {
      id: "m1",
      role: "assistant",
      content: [
        { type: "text", text: "a" },
        { type: "thinking", text: "?" },
        { type: "text", text: "b" }
      ]
    }
    assert.deepStrictEqual(untyped({ ...first, runId: "" }), {
      sessionId: session.id,
      runId: "",
      status: "succeeded",
      text: "ab",
      content: message.content,
      message,
      leafId: session.leafId
    })
    const second = await run(session)
    assert.deepStrictEqual(untyped({ ...second, runId: "" }), {
      sessionId: session.id,
      runId: "",
      status: "succeeded",
      text: "",
      content: [],
      leafId: session.leafId
    })
  })

  it("S6, S10, S11: result and last event carry the sum of every turn", async () => {
    const { session } = scripted(
      [
        [toolCall("c", "t"), { type: "usage", usage: { inputTokens: 10, outputTokens: 1 } }],
        [text("a"), { type: "done", usage: { inputTokens: 20, outputTokens: 2, cost: 0.5, currency: "USD" } }]
      ],
      { tools: [tool("t")] }
    )
    const seen = collect(session.subscribe())
    const { usage } = await run(session)
    const sum = { inputTokens: 30, outputTokens: 3, totalTokens: 33, cost: 0.5, currency: "USD" }
    assert.deepStrictEqual(usage, sum)
    const last = (await seen).at(-1)
    assert.deepStrictEqual(last?.type === "agent_finished" ? last.usage : last, sum)
  })

  it("S11: what a loop returns counts only if no turn reported usage, and only if it is usage", async () => {
    const fallback = { inputTokens: 9 }
    const loopOf = (answer: unknown, generate: boolean) => ({
      name: "l",
      run: async (context: { generate(request: unknown): Promise<unknown>; assemble(input: []): Promise<unknown> }) => {
        if (generate) await context.generate(await context.assemble([]))
        return answer
      }
    })
    const { session } = scripted([[text("a"), { type: "usage", usage: { inputTokens: 1 } }]])
    const usageOf = async (loop: unknown) => (await run(session, "hi", { loop: untyped(loop) })).usage
    assert.deepStrictEqual(await usageOf(loopOf(fallback, false)), fallback)
    assert.deepStrictEqual(await usageOf(loopOf(fallback, true)), { inputTokens: 1, totalTokens: 1 })
    for (const garbage of [7, "usage", null, [1]]) assert.isUndefined(await usageOf(loopOf(garbage, false)))
  })

  it("S2: is over as soon as it has settled: after success, failure and abort the next one starts at once", async () => {
    const asked = gate()
    const { session } = scripted([
      [text("a")],
      [{ fail: new Error("down") }],
      [{ run: () => asked.open() }, { hang: true }],
      [text("b")]
    ])
    assert.strictEqual((await run(session)).text, "a")
    assert.strictEqual((await failure(run(session))).message, "down")
    const hung = run(session)
    await asked.promise
    session.abort("enough")
    assert.strictEqual((await failure(hung)).result.status, "aborted")
    assert.strictEqual((await run(session)).text, "b")
  })

  it("S2: whoever hears of the end may start the next run at once: by the last event, or by the end of the events", async () => {
    const { session } = scripted([[text("a")]])
    const first = run(session)
    let next: Promise<unknown> | undefined
    for await (const event of session.subscribe()) {
      if (event.type === "agent_finished") next = run(session, "by event")
    }
    await Promise.all([first, next])
    const third = run(session, "by end")
    await collect(session.subscribe())
    await run(session, "last")
    await third
    assert.deepStrictEqual(
      (await storedGist(session)).filter((said) => said.startsWith("user")),
      ["user: hi", "user: by event", "user: by end", "user: last"]
    )
  })

  it("E17: a run begun on the last event of another keeps its own subscriptions", async () => {
    const { ledger } = recordingLedger(() => Promise.resolve())
    const { session } = scripted([[text("a")]], { runLedger: ledger })
    const first = run(session)
    let second: Promise<ReadonlyArray<unknown>> | undefined
    for await (const event of session.subscribe()) {
      if (event.type === "agent_finished") second = collect(session.stream("again"))
    }
    await first
    const types = typesOf(untyped(await second))
    assert.deepStrictEqual([types[0], types.at(-1)], ["agent_started", "agent_finished"])
  })

  it("S8: one round unless set; the smallest of all that are given counts", async () => {
    const rounds = async (agent: number | undefined, options: RunOptions) => {
      const { provider, session } = scripted([[toolCall("c", "t")]], {
        tools: [tool("t")],
        ...(agent === undefined ? undefined : { limits: { maxToolRounds: agent } })
      })
      await run(session, "hi", options)
      return provider.requests.length - 1
    }
    assert.strictEqual(await rounds(undefined, {}), 1)
    assert.strictEqual(await rounds(3, {}), 3)
    assert.strictEqual(await rounds(undefined, { maxToolRounds: 2 }), 2)
    assert.strictEqual(await rounds(undefined, { limits: { maxToolRounds: 4 } }), 4)
    assert.strictEqual(await rounds(3, { maxToolRounds: 5, limits: { maxToolRounds: 2 } }), 2)
    assert.strictEqual(await rounds(3, { limits: { maxToolRounds: 64 } }), 3)
    assert.strictEqual(await rounds(3, { maxToolRounds: 0 }), 0)
  })

  it("S9: a turn beyond the last round is stored with its calls, runs none, and ends the run well", async () => {
    const ran: Array<string> = []
    const { provider, session } = scripted([[text("let me"), toolCall("c", "t"), toolCall("d", "t")], [text("a")]], {
      tools: [tool("t", () => ran.push("t"))]
    })
    const events = await eventsOf(session, "hi", { maxToolRounds: 0 })
    assert.deepStrictEqual(typesOf(events).slice(-3), ["message_finished", "turn_finished", "agent_finished"])
    assert.deepStrictEqual([ran, await storedGist(session)], [[], ["user: hi", "assistant: let me call t call t"]])
    await run(session, "and now?")
    const { messages = [] } = provider.requests[1] ?? {}
    assertAnswered(messages)
    assert.deepStrictEqual(gist(messages).slice(2, 4), [
      "tool: error Tool call interrupted: no result was recorded; effects unknown",
      "tool: error Tool call interrupted: no result was recorded; effects unknown"
    ])
  })

  it("S7: a failed run tells its error, then rejects with what it came to: earlier turns, usage, no draft", async () => {
    const { session } = scripted(
      [
        [text("first"), toolCall("c", "t"), { type: "usage", usage: { inputTokens: 1 } }],
        [text("dra"), { type: "usage", usage: { inputTokens: 2 } }, { fail: new Error("cut") }]
      ],
      { tools: [tool("t")] }
    )
    const seen = collect(session.subscribe())
    const error = await failure(run(session))
    const { result } = error
    assert.deepStrictEqual(
      [error.message, result.status, result.text, result.usage, result.error, result.abortReason],
      ["cut", "failed", "first", { inputTokens: 3, totalTokens: 3 }, { name: "Error", message: "cut" }, undefined]
    )
    assert.strictEqual(result.leafId, session.leafId)
    assert.deepStrictEqual((await seen).at(-1), {
      type: "error",
      sessionId: session.id,
      runId: result.runId,
      error: { name: "Error", message: "cut" }
    })
    assert.deepStrictEqual(await storedGist(session), ["user: hi", "assistant: first call t", 'tool: result "done"'])
  })

  it("S40: request options of agent and run are merged for every turn", async () => {
    const { provider, session } = scripted([[toolCall("c", "t")], [text("a")]], {
      tools: [tool("t")],
      providerOptions: { cacheKey: "agent", headers: { a: "1", b: "1" } }
    })
    await run(session, "hi", { providerOptions: { headers: { b: "2" }, extra: { x: 1 } } })
    for (const { options } of provider.requests) {
      assert.deepStrictEqual(untyped(options), { cacheKey: "agent", headers: { a: "1", b: "2" }, extra: { x: 1 } })
    }
    assert.lengthOf(provider.requests, 2)
  })

  it("S42: the session cache policy sets the session of the run", async () => {
    const { provider, session } = scripted([[text("a")]], { providerRequestPolicies: createSessionCachePolicy() })
    await run(session)
    assert.deepStrictEqual(untyped(provider.requests[0]?.options), {
      sessionId: session.id,
      cacheKey: session.id,
      cacheRetention: "short"
    })
  })

  it("S13: metadata of agent, session and run is merged, later ones winning, and a strange key stays a key", async () => {
    const { provider, session } = scripted(
      [[text("a")]],
      { metadata: { a: 1, b: 1, c: 1 } },
      { metadata: { b: 2, c: 2 } }
    )
    const given: Record<string, unknown> = JSON.parse('{"c":3,"__proto__":{"polluted":true}}')
    await run(session, "hi", { metadata: given })
    const metadata = provider.requests[0]?.metadata ?? {}
    assert.deepStrictEqual([metadata["a"], metadata["b"], metadata["c"]], [1, 2, 3])
    assert.strictEqual(Object.getPrototypeOf(metadata), Object.prototype)
    assert.isUndefined(metadata["polluted"])
  })

  it("D18: ids are a prefix and a random uuid, and all of a run's entries name it", async () => {
    const { session } = scripted([[text("a")]])
    const { runId } = await run(session)
    const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert.match(runId, new RegExp(`^run_${uuid}$`))
    assert.match(session.id, new RegExp(`^session_${uuid}$`))
    for (const entry of await Effect.runPromise(session.entries())) {
      assert.match(entry.id, new RegExp(`^entry_${uuid}$`))
      assert.strictEqual(entry.runId, runId)
    }
  })

  it("leaves nothing of itself on the signal it was given", async () => {
    const controller = new AbortController()
    let listeners = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...args)
    }
    const { session } = scripted([[text("a")], [{ fail: "x" }]])
    await run(session, "hi", { signal })
    await rejection(run(session, "hi", { signal }))
    assert.strictEqual(listeners, 0)
  })

  it("begins synchronously and settles later, so that what is subscribed at once misses nothing", async () => {
    const opened = gate()
    const session = sessionOver(() => ({
      [Symbol.asyncIterator]: () => ({ next: () => opened.promise.then(() => ({ done: true, value: undefined })) })
    }))
    const running = run(session)
    assert.isDefined(session.active)
    opened.open()
    await running
    assert.isUndefined(session.active)
    assert.notInstanceOf(running, AgentRunError)
  })
})
