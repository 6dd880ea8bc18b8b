import { assert, describe, it } from "@effect/vitest"
import { singleShotLoop } from "../../src/loop/singleShot.ts"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import type { ProviderRequest, ProviderTurnResult } from "../../src/ports/AIProvider.ts"
import type { LoopContext } from "../../src/ports/LoopStrategy.ts"
import type { Message } from "../../src/schema/Message.ts"
import type { ToolResult } from "../../src/schema/ToolResult.ts"
import { messageOf, model, user } from "../run/runs.ts"

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
      order.push(`assemble ${at} with ${Array.isArray(input) ? input.length : 1} over ${history.length}`)
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
