import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import {
  collect,
  eventsOf,
  gate,
  gist,
  rejection,
  run,
  scripted,
  storedGist,
  text,
  tool,
  toolCall,
  typesOf
} from "../run/runs.ts"

const fragment = (index: number, more: object) => ({ type: "tool_call_delta", index, ...more }) as const
const done = { type: "done" } as const

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
    const first = events.find(({ type }) => type === "message_started")
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

  it("a name that no provider accepts, in the messages of the host, is not sent as it is", async () => {
    const { provider, session } = scripted([[text("a")]])
    await run(session, [
      { role: "assistant", content: [{ type: "tool_call", id: "c", name: "old:tool", arguments: {} }] },
      { role: "tool", content: [{ type: "tool_result", toolCallId: "c", name: "old:tool", result: 1 }] }
    ])
    await run(session, "again")
    for (const { messages } of provider.requests) {
      const names = messages.flatMap(({ content }) => content.flatMap((block) => ("name" in block ? [block.name] : [])))
      assert.lengthOf(names, 2)
      for (const name of names) assert.match(name ?? "", /^old_tool_[0-9a-z]{11}$/)
    }
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
