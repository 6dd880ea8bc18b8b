import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { singleShotLoop } from "../../src/loop/singleShot.ts"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import type { ProviderRequest, ProviderTurnResult } from "../../src/ports/AIProvider.ts"
import type { LoopContext } from "../../src/ports/LoopStrategy.ts"
import type { Message } from "../../src/schema/Message.ts"
import type { ToolResult } from "../../src/schema/ToolResult.ts"
import {
  collect,
  eventsOf,
  gate,
  gist,
  messageOf,
  model,
  rejection,
  run,
  scripted,
  storedGist,
  text,
  tool,
  toolCall,
  typesOf,
  user
} from "../run/runs.ts"

const fragment = (index: number, more: object) => ({ type: "tool_call_delta", index, ...more }) as const
const done = { type: "done" } as const

/** A context by hand that writes down the order of its calls. */
const contextOf = (results: ReadonlyArray<ProviderTurnResult>, more: Partial<LoopContext> = {}) => {
  const order: Array<string> = []
  const history: Array<Message> = []
  let turn = 0
  const context: LoopContext = {
    sessionId: "s",
    runId: "r",
    metadata: {},
    signal: new AbortController().signal,
    history,
    input: "hi",
    inputMessages: [user("hi")],
    maxToolRounds: 1,
    toolConcurrency: 1,
    assemble: (input, _, at) => {
      order.push(`assemble ${at} with ${input.length} over ${history.length}`)
      return Promise.resolve<ProviderRequest>({ model, messages: [] })
    },
    generate: () => {
      order.push(`generate over ${history.length}`)
      const result = results[turn]
      turn += 1
      return result === undefined ? Promise.reject(new Error("no more turns")) : Promise.resolve(result)
    },
    dispatchToolCall: (call) => {
      order.push(`dispatch ${call.id}`)
      return Promise.resolve<ToolResult>({ toolCallId: call.id, name: call.name, value: "v" })
    },
    appendMessage: (message) => {
      order.push(`append ${message.role}`)
      return Promise.resolve()
    },
    emit: (event: AgentEvent) => void order.push(event.type),
    ...more
  }
  return { context, history, order }
}
const called = (...ids: ReadonlyArray<string>): ProviderTurnResult => {
  const calls = ids.map((id) => ({ type: "tool_call", id, name: "t", arguments: {} }) as const)
  return { content: calls, calls, started: true, usage: { inputTokens: ids.length } }
}
const said: ProviderTurnResult = {
  content: [{ type: "text", text: "a" }],
  calls: [],
  started: true,
  usage: { inputTokens: 7 }
}

describe("singleShotLoop", () => {
  it("L5: checks for an abort before the turn and after assembly, before it goes on", async () => {
    const before = contextOf([said], { signal: AbortSignal.abort(new Error("early")) })
    assert.strictEqual(
      await messageOf(Promise.resolve(singleShotLoop.run(before.context) as Promise<unknown>)),
      "early"
    )
    assert.deepStrictEqual(before.order, [])
    const controller = new AbortController()
    const during = contextOf([said], { signal: controller.signal })
    const assemble = during.context.assemble.bind(during.context)
    const aborting = {
      ...during.context,
      assemble: (...args: Parameters<typeof assemble>) => {
        controller.abort(new Error("late"))
        return assemble(...args)
      }
    }
    assert.strictEqual(await messageOf(Promise.resolve(singleShotLoop.run(aborting) as Promise<unknown>)), "late")
    assert.deepStrictEqual(during.order, ["turn_started", "assemble 1 with 1 over 0"])
  })

  it("L5, L6, L9: a turn has its order; the input joins the history once; the last turn's usage is returned", async () => {
    const { context, history, order } = contextOf([called("c", "d"), said])
    assert.deepStrictEqual(await singleShotLoop.run(context), { inputTokens: 7 })
    assert.deepStrictEqual(order, [
      "turn_started",
      "assemble 1 with 1 over 0",
      "generate over 0",
      "append assistant",
      "message_finished",
      "turn_finished",
      "dispatch c",
      "append tool",
      "dispatch d",
      "append tool",
      "turn_started",
      "assemble 2 with 0 over 4",
      "generate over 4",
      "append assistant",
      "message_finished",
      "turn_finished"
    ])
    assert.deepStrictEqual(
      history.map(({ role }) => role),
      ["user", "assistant", "tool", "tool", "assistant"]
    )
  })

  it("L5: a turn that started no message stores none and tells none", async () => {
    const { context, history, order } = contextOf([{ content: [], calls: [], started: false }])
    assert.isUndefined(await singleShotLoop.run(context))
    assert.deepStrictEqual(order, ["turn_started", "assemble 1 with 1 over 0", "generate over 0", "turn_finished"])
    assert.deepStrictEqual(history, [user("hi")])
  })

  it("L6: calls without a round left end the loop without dispatch", async () => {
    const { context, order } = contextOf([called("c")], { maxToolRounds: 0 })
    assert.deepStrictEqual(await singleShotLoop.run(context), { inputTokens: 1 })
    assert.deepStrictEqual(order.slice(-2), ["message_finished", "turn_finished"])
  })

  it("L7: one round is one turn with calls, however many", async () => {
    const { context, order } = contextOf([called("a", "b", "c"), called("d"), said], { maxToolRounds: 2 })
    await singleShotLoop.run(context)
    assert.deepStrictEqual(
      order.filter((step) => step.startsWith("dispatch")),
      ["dispatch a", "dispatch b", "dispatch c", "dispatch d"]
    )
  })

  it("L31: what a turn fails with is what the loop fails with", async () => {
    const { context } = contextOf([])
    assert.strictEqual(
      await messageOf(Promise.resolve(singleShotLoop.run(context) as Promise<unknown>)),
      "no more turns"
    )
  })
})

describe("a single-shot run", () => {
  it("L8: the next request has the input, the calls and their results in call order, each once", async () => {
    const { provider, session } = scripted(
      [[text("look"), toolCall("c", "slow"), toolCall("d", "fast")], [toolCall("e", "fast")], [text("a")]],
      {
        loop: { strategy: "single-shot", toolConcurrency: 2 },
        limits: { maxToolRounds: 2 },
        tools: [
          {
            name: "slow",
            execute: (_, { toolCallId }) => Effect.as(Effect.yieldNow, { toolCallId, name: "slow", value: 1 })
          },
          tool("fast", () => 2)
        ]
      }
    )
    await run(session)
    const transcript = [
      "user: hi",
      "assistant: look call slow call fast",
      "tool: result 1",
      "tool: result 2",
      "assistant: call fast",
      "tool: result 2"
    ]
    assert.deepStrictEqual(
      provider.requests.map(({ messages }) => gist(messages)),
      [transcript.slice(0, 1), transcript.slice(0, 4), transcript]
    )
    assert.deepStrictEqual(await storedGist(session), [...transcript, "assistant: a"])
  })

  it("E2, E3: a text turn in order", async () => {
    const { session } = scripted([[text("a"), text("b"), done]])
    const events = await eventsOf(session)
    assert.deepStrictEqual(
      events.map(({ type }) => type),
      [
        "agent_started",
        "turn_started",
        "provider_turn_started",
        "message_started",
        "message_delta",
        "message_delta",
        "provider_turn_finished",
        "message_finished",
        "turn_finished",
        "agent_finished"
      ]
    )
  })

  it("E3, D14: a turn without content has no message at all; a start alone is a message", async () => {
    const silent = scripted([[{ type: "usage", usage: { inputTokens: 1 } }, done]])
    assert.deepStrictEqual(typesOf(await eventsOf(silent.session)), [
      "agent_started",
      "turn_started",
      "turn_finished",
      "agent_finished"
    ])
    assert.deepStrictEqual(await storedGist(silent.session), ["user: hi"])
    const started = scripted([[{ type: "message_start", messageId: "m1" }]])
    const events = await eventsOf(started.session)
    assert.deepStrictEqual(typesOf(events), [
      "agent_started",
      "turn_started",
      "message_started",
      "message_finished",
      "turn_finished",
      "agent_finished"
    ])
    const [first] = events.filter(({ type }) => type === "message_started")
    assert.deepStrictEqual(first?.type === "message_started" ? first.message : first, {
      role: "assistant",
      content: [],
      id: "m1"
    })
  })

  it("E4, E5, E7: a tool turn in order: fragments, the whole call, then start, progress and end", async () => {
    const { session } = scripted(
      [
        [fragment(0, { id: "c", name: "t" }), fragment(0, { argumentsText: "{}" }), done],
        [text("a"), done]
      ],
      { tools: [tool("t", (_, { progress }) => void progress?.("half"))] }
    )
    const events = await eventsOf(session)
    assert.deepStrictEqual(
      events.map((event) => (event.type === "message_delta" ? `delta ${event.content.type}` : event.type)),
      [
        "agent_started",
        "turn_started",
        "provider_turn_started",
        "message_started",
        "delta tool_call_delta",
        "delta tool_call_delta",
        "delta tool_call",
        "provider_turn_finished",
        "message_finished",
        "turn_finished",
        "tool_execution_started",
        "tool_execution_progress",
        "tool_execution_finished",
        "turn_started",
        "provider_turn_started",
        "message_started",
        "delta text",
        "provider_turn_finished",
        "message_finished",
        "turn_finished",
        "agent_finished"
      ]
    )
    const entries = await Effect.runPromise(session.entries())
    assert.deepStrictEqual(
      entries.flatMap(({ message }) => message?.content.map(({ type }) => type) ?? []),
      ["text", "tool_call", "tool_result", "text"]
    )
  })

  it("E5: a blocked call has one event, a throwing tool starts and fails, an error result starts and finishes", async () => {
    const { session } = scripted(
      [[toolCall("a", "gone"), toolCall("b", "throws"), toolCall("c", "errs")], [text("a")]],
      {
        tools: [
          tool("throws", () => {
            throw new Error("t")
          }),
          { name: "errs", execute: (_, { toolCallId }) => ({ toolCallId, name: "errs", error: { message: "e" } }) }
        ]
      }
    )
    const events = await eventsOf(session)
    assert.deepStrictEqual(
      events.filter(({ type }) => type.startsWith("tool_")).map(({ type }) => type),
      [
        "tool_execution_blocked",
        "tool_execution_started",
        "tool_execution_error",
        "tool_execution_started",
        "tool_execution_finished"
      ]
    )
  })

  it("E2, L8: a parallel turn: the calls' events interleave, the results are stored in the order of the calls", async () => {
    const [first, second] = [gate(), gate()]
    const { session } = scripted(
      [
        [toolCall("c", "one"), toolCall("d", "two")],
        [text("a"), done]
      ],
      {
        loop: { strategy: "single-shot", toolConcurrency: 2 },
        tools: [
          {
            name: "one",
            execute: (_, { toolCallId }) => {
              second.open()
              return first.promise.then(() => ({ toolCallId, name: "one", value: 1 }))
            }
          },
          {
            name: "two",
            execute: (_, { toolCallId }) => second.promise.then(() => ({ toolCallId, name: "two", value: 2 }))
          }
        ]
      }
    )
    const events: Array<AgentEvent> = []
    const subscription = session.subscribe()
    const running = run(session)
    for await (const event of subscription) {
      events.push(event)
      if (event.type === "tool_execution_finished" && event.result.name === "two") first.open()
    }
    await running
    const shown = events.map((event) => {
      if (event.type === "tool_execution_started") return `start ${event.call.name}`
      return event.type === "tool_execution_finished" ? `finish ${event.result.name}` : event.type
    })
    assert.deepStrictEqual(
      shown.filter((type) => !type.startsWith("provider_turn")),
      [
        "agent_started",
        "turn_started",
        "message_started",
        "message_delta",
        "message_delta",
        "message_finished",
        "turn_finished",
        "start one",
        "start two",
        "finish two",
        "finish one",
        "turn_started",
        "message_started",
        "message_delta",
        "message_finished",
        "turn_finished",
        "agent_finished"
      ]
    )
    assert.deepStrictEqual((await storedGist(session)).slice(2, 4), ["tool: result 1", "tool: result 2"])
  })

  it("E2: a failure in order: no turn_finished of the turn it cut off, no agent_finished, error last", async () => {
    const { session } = scripted([[text("a"), { fail: new Error("down") }]])
    assert.deepStrictEqual(
      (await eventsOf(session)).map(({ type }) => type),
      [
        "agent_started",
        "turn_started",
        "provider_turn_started",
        "message_started",
        "message_delta",
        "provider_turn_finished",
        "error"
      ]
    )
  })

  it("S19, E2: an abort in order: nothing of the provider behind it, error last, once", async () => {
    const { session } = scripted([[text("a"), { run: () => session.abort("stop") }, text("b"), done]])
    assert.deepStrictEqual(
      (await eventsOf(session)).map(({ type }) => type),
      ["agent_started", "turn_started", "provider_turn_started", "message_started", "message_delta", "error"]
    )
  })

  it("a tool that goes on changing what it returned does not change the transcript", async () => {
    const list: Array<string> = []
    const { provider, session } = scripted([[toolCall("c", "todo")], [toolCall("d", "todo")], [text("a")]], {
      limits: { maxToolRounds: 2 },
      tools: [
        tool("todo", () => {
          list.push(`item ${list.length + 1}`)
          return list
        })
      ]
    })
    await run(session)
    assert.deepStrictEqual(
      gist(provider.requests[2]?.messages ?? []).filter((line) => line.startsWith("tool")),
      ['tool: result ["item 1"]', 'tool: result ["item 1","item 2"]']
    )
  })

  it("a name that no provider accepts, made up by the model, is not sent back to it as it is", async () => {
    const { provider, session } = scripted([[toolCall("c", "functions.read")], [text("a")], [text("b")]], {
      tools: [tool("read")]
    })
    await run(session)
    await run(session, "again")
    for (const { messages } of provider.requests.slice(1)) {
      const names = messages.flatMap(({ content }) => content.flatMap((block) => ("name" in block ? [block.name] : [])))
      assert.lengthOf(names, 2)
      for (const name of names) assert.match(name ?? "", /^functions_read_[0-9a-z]{11}$/)
    }
    const stored = await Effect.runPromise(session.entries())
    assert.deepStrictEqual(
      stored.flatMap(({ message }) => message?.content.flatMap((block) => ("name" in block ? [block.name] : [])) ?? []),
      ["functions.read", "functions.read"]
    )
  })

  it("a tool whose name no provider accepts is offered, called, told and stored under its own", async () => {
    const { provider, session } = scripted([({ tools = [] }) => [toolCall("c", tools[0]?.name ?? "")], [text("a")]], {
      tools: [tool("mcp:fs:read", () => "file")]
    })
    const seen = collect(session.subscribe())
    await run(session)
    const wire = provider.requests[0]?.tools?.[0]?.name ?? ""
    assert.match(wire, /^mcp_fs_read_[0-9a-z]{11}$/)
    const started = (await seen).find((event) => event.type === "tool_execution_started")
    assert.strictEqual(started?.type === "tool_execution_started" ? started.call.name : "", "mcp:fs:read")
    assert.deepStrictEqual(await storedGist(session), [
      "user: hi",
      "assistant: call mcp:fs:read",
      'tool: result "file"',
      "assistant: a"
    ])
    assert.deepStrictEqual(gist(provider.requests[1]?.messages ?? [])[1], `assistant: call ${wire}`)
  })

  it("S17: an abort on the last event of a tool is heard before the next provider turn", async () => {
    const { provider, session } = scripted([[toolCall("c", "t")], [text("a")]], { tools: [tool("t")] })
    const running = rejection(run(session))
    for await (const event of session.subscribe()) {
      if (event.type === "tool_execution_finished") session.abort("enough")
    }
    await running
    assert.lengthOf(provider.requests, 1)
  })
})
