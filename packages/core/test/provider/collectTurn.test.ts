import { assert, describe, it } from "@effect/vitest"
import { ProviderError } from "../../src/errors/ProviderError.ts"
import { TurnCollector } from "../../src/provider/collectTurn.ts"
import type { JsonObject } from "../../src/schema/Json.ts"
import { text, toolCall, untyped } from "../run/runs.ts"

const collected = (events: ReadonlyArray<unknown>, fromWire?: ReadonlyMap<string, string>) => {
  const collector = new TurnCollector(fromWire)
  const told = events.map((event) => collector.accept(untyped(event)))
  const finished = collector.finishCalls()
  return { collector, told, finished, result: collector.result() }
}

const refused = (...events: ReadonlyArray<unknown>) => {
  try {
    collected(events)
  } catch (error) {
    if (error instanceof ProviderError) return error.error
    return `not a provider error: ${String(error)}`
  }
  return "accepted"
}

const fragment = (index: unknown, more: object = {}) => ({ type: "tool_call_delta", index, ...more })
const thinking = (said: string, signature?: unknown) => ({
  type: "content_delta",
  content: { type: "thinking", text: said, signature }
})
const nested = (levels: number): JsonObject => {
  let value: JsonObject = {}
  for (let level = 1; level < levels; level += 1) value = { in: value }
  return value
}

describe("TurnCollector", () => {
  it("D10: a group without id or without name fails, and none of its siblings comes out", () => {
    const whole = fragment(0, { id: "a", name: "n", argumentsText: "{}" })
    const error = { message: "Incomplete tool call delta at index 3", code: "incomplete_delta" }
    assert.deepStrictEqual(refused(whole, fragment(3, { id: "b" })), error)
    assert.deepStrictEqual(refused(whole, fragment(3, { name: "n" })), error)
    assert.deepStrictEqual(refused(whole, fragment(3, { id: "", name: "n" })), error)
  })

  it("D13: an error event fails with what it says, and with something if it says nothing", () => {
    const error = { message: "busy", code: 503 }
    assert.deepStrictEqual(refused({ type: "error", error }), error)
    assert.deepStrictEqual(refused({ type: "error", error: "busy" }), { message: "Provider error: busy" })
    for (const nothing of [undefined, null, 7, {}]) {
      assert.deepStrictEqual(refused({ type: "error", error: nothing }), {
        message: "Provider error: no message was given"
      })
    }
  })

  it("D13: events that are none fail the turn, and the error says which and what", () => {
    const code = "invalid_provider_event"
    const message = (said: string) => ({ message: `Invalid provider event ${said}`, code })
    assert.deepStrictEqual(refused(null), message("?: expected an object, not null"))
    assert.deepStrictEqual(refused(7), message("?: expected an object, not 7"))
    assert.deepStrictEqual(
      refused({ type: "content_delta" }),
      message("content_delta: content must be a content block")
    )
    for (const type of ["text", "thinking"]) {
      assert.deepStrictEqual(
        refused({ type: "content_delta", content: { type } }),
        message("content_delta: text must be a string")
      )
    }
    assert.deepStrictEqual(
      refused({ type: "content_delta", content: { type: "tool_result", toolCallId: "a", name: "n" } }),
      message("content_delta: a provider does not answer tool calls")
    )
    assert.deepStrictEqual(refused({ type: "tool_call" }), message("tool_call: call must be a tool call"))
    assert.deepStrictEqual(
      refused({ type: "tool_call", call: { id: "", name: "n", arguments: {} } }),
      message("tool_call: id must be a string that is not empty")
    )
    assert.deepStrictEqual(
      refused({ type: "tool_call", call: { id: "a", name: 1, arguments: {} } }),
      message("tool_call: name must be a string that is not empty")
    )
    assert.deepStrictEqual(refused(fragment("0")), message("tool_call_delta: index must be a number, not 0"))
    assert.deepStrictEqual(refused(fragment(Number.NaN)), message("tool_call_delta: index must be a number, not NaN"))
    for (const field of ["id", "name", "argumentsText"]) {
      assert.deepStrictEqual(
        refused(fragment(0, { [field]: 1 })),
        message(`tool_call_delta: ${field} must be a string`)
      )
    }
  })

  it("E11, D13: unknown types are ignored, be it of events or of blocks, and usage that is none", () => {
    const { collector, told } = collected([
      { type: "heartbeat" },
      {},
      { type: "content_delta", content: { type: "hologram" } },
      { type: "usage", usage: 5 },
      { type: "done", usage: null }
    ])
    assert.deepStrictEqual(told, [undefined, undefined, undefined, undefined, undefined])
    assert.deepStrictEqual([collector.started, collector.usage, collector.done], [false, undefined, true])
  })

  it("D14: usage and done are no message; a start or any content is one", () => {
    const silent = collected([{ type: "usage", usage: { inputTokens: 1 } }, { type: "done" }])
    assert.deepStrictEqual(silent.result, { content: [], calls: [], started: false, usage: { inputTokens: 1 } })
    for (const event of [
      { type: "message_start" },
      text("x"),
      thinking("x"),
      toolCall("a", "n"),
      fragment(0, { id: "a", name: "n" })
    ]) {
      assert.isTrue(collected([event]).result.started, JSON.stringify(event))
    }
    assert.strictEqual(collected([{ type: "message_start", messageId: "m1" }]).result.messageId, "m1")
    assert.isUndefined(collected([{ type: "message_start", messageId: 5 }]).result.messageId)
  })

  it("D7: the usage of done overrides an earlier one; a done without leaves it", () => {
    const earlier = { type: "usage", usage: { inputTokens: 1, outputTokens: 1 } }
    assert.deepStrictEqual(collected([earlier, { type: "done", usage: { inputTokens: 5 } }]).collector.usage, {
      inputTokens: 5
    })
    assert.deepStrictEqual(collected([earlier, { type: "done", usage: undefined }]).collector.usage, {
      inputTokens: 1,
      outputTokens: 1
    })
  })

  it("D8: fragments go by index, the last id and name count, texts are joined, calls come in ascending order", () => {
    const { finished, told } = collected([
      fragment(7, { id: "late", name: "b", argumentsText: '{"x"' }),
      fragment(2, { id: "first", name: "guess" }),
      fragment(7, { argumentsText: ":1}" }),
      fragment(2, { id: "second", name: "a", argumentsText: "{}" })
    ])
    assert.deepStrictEqual(finished, [
      { type: "tool_call", id: "second", name: "a", arguments: {} },
      { type: "tool_call", id: "late", name: "b", arguments: { x: 1 } }
    ])
    assert.deepStrictEqual(told[2], { type: "tool_call_delta", index: 7, argumentsText: ":1}" })
  })

  it("D8: an id or name repeated as empty text takes nothing back", () => {
    const { finished } = collected([
      fragment(0, { id: "a", name: "n" }),
      fragment(0, { id: "", name: "", argumentsText: "{}" })
    ])
    assert.deepStrictEqual(finished, [{ type: "tool_call", id: "a", name: "n", arguments: {} }])
  })

  it("D9: blank text is {}, what is no JSON object is a call that says so", () => {
    const texts = ["", "  ", "[1]", '{"x":', "null"]
    const { finished } = collected(
      texts.map((argumentsText, index) => fragment(index, { id: `${index}`, name: "n", argumentsText }))
    )
    assert.deepStrictEqual(
      finished.map(({ argumentsError }) => argumentsError?.code),
      [undefined, undefined, "invalid_json_arguments", "invalid_json_arguments", "invalid_json_arguments"]
    )
    assert.isTrue(finished.every((call) => JSON.stringify(call.arguments) === "{}"))
  })

  it("D9: a whole call with arguments that are no JSON object is readable and blocked", () => {
    const error = { message: "Tool arguments must be a JSON object", code: "invalid_json_arguments" }
    for (const args of [undefined, null, "{}", [1], { x: Number.NaN }, new Date(0), JSON.parse('{"__proto__":{}}')]) {
      const { result } = collected([
        { type: "tool_call", call: { type: "tool_call", id: "a", name: "n", arguments: args } }
      ])
      assert.deepStrictEqual(result.calls, [
        { type: "tool_call", id: "a", name: "n", arguments: {}, argumentsError: error }
      ])
      assert.deepStrictEqual(result.content, result.calls)
    }
  })

  it("D9: an adapter's argumentsError is kept beside readable arguments; one that is no error still blocks", () => {
    const given = {
      type: "tool_call",
      id: "a",
      name: "n",
      arguments: { x: 1 },
      argumentsError: { message: "cut off", code: "c" }
    }
    assert.deepStrictEqual(untyped(collected([{ type: "tool_call", call: given }]).result.calls), [given])
    const odd = collected([{ type: "tool_call", call: { ...given, argumentsError: "cut off" } }]).result.calls[0]
    assert.deepStrictEqual(odd?.argumentsError, {
      message: "Tool arguments must be a JSON object",
      code: "invalid_json_arguments"
    })
  })

  it("D9: arguments too deep to be written again are blocked, whole or in fragments", () => {
    const error = { message: "Tool arguments are nested more than 1024 levels deep", code: "invalid_json_arguments" }
    const whole = (levels: number) => collected([toolCall("a", "n", nested(levels))]).result.calls[0]
    assert.deepStrictEqual([whole(1024)?.argumentsError, whole(1025)?.argumentsError], [undefined, error])
    const argumentsText = `{"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`
    const { result } = collected([fragment(0, { id: "a", name: "n", argumentsText })])
    assert.deepStrictEqual(result.calls, [
      { type: "tool_call", id: "a", name: "n", arguments: {}, argumentsError: error }
    ])
  })

  it("D9: beyond the bound argument text is not kept, and the call is blocked", () => {
    const piece = "x".repeat(600_000)
    const events = Array.from({ length: 5 }, () => fragment(0, { id: "a", name: "n", argumentsText: piece }))
    assert.strictEqual(collected(events).finished[0]?.argumentsError?.code, "tool_arguments_too_large")
  })

  it("D11: a call whose id came before is dropped, put together or whole, and not shown again", () => {
    const { finished, result, told } = collected([
      toolCall("a", "n", { x: 1 }),
      fragment(0, { id: "a", name: "n", argumentsText: '{"x":2}' }),
      fragment(1, { id: "b", name: "n", argumentsText: "{}" }),
      toolCall("a", "n", { x: 3 })
    ])
    assert.deepStrictEqual(
      result.calls.map((call) => [call.id, call.arguments]),
      [
        ["a", { x: 1 }],
        ["b", {}]
      ]
    )
    assert.deepStrictEqual(
      finished.map(({ id }) => id),
      ["b"]
    )
    assert.isUndefined(told[3])
  })

  it("E4: fragments are shown as they come and never stored", () => {
    const { result, told } = collected([
      text("a"),
      fragment(0, { id: "c", name: "n" }),
      { type: "content_delta", content: { type: "tool_call_delta", index: 0, argumentsText: "{}" } },
      text("b")
    ])
    assert.deepStrictEqual(
      told.map((block) => block?.type),
      ["text", "tool_call_delta", "tool_call_delta", "text"]
    )
    assert.deepStrictEqual(
      result.content.map(({ type }) => type),
      ["text", "tool_call"]
    )
  })

  it("joins what belongs to one block and keeps apart what does not", () => {
    const image = { type: "content_delta", content: { type: "image", mimeType: "image/png", data: "AA" } }
    const { result } = collected([
      thinking("a"),
      thinking("b", "sig"),
      thinking("c"),
      text("d"),
      text("e"),
      image,
      text("f"),
      thinking("g", 7)
    ])
    assert.deepStrictEqual(untyped(result.content), [
      { type: "thinking", text: "ab", signature: "sig" },
      { type: "thinking", text: "c" },
      { type: "text", text: "de" },
      image.content,
      { type: "text", text: "f" },
      { type: "thinking", text: "g" }
    ])
  })

  it("gives calls their documented names back, whichever way they come", () => {
    const { result, told } = collected(
      [
        toolCall("a", "w1"),
        { type: "content_delta", content: { type: "tool_call", id: "b", name: "w1", arguments: {} } },
        fragment(0, { id: "c", name: "w1" }),
        { type: "content_delta", content: { type: "tool_call_delta", index: 1, id: "d", name: "w1" } },
        toolCall("e", "other")
      ],
      new Map([["w1", "mcp:fs:read"]])
    )
    assert.deepStrictEqual(
      result.calls.map(({ id, name }) => `${id} ${name}`),
      ["a mcp:fs:read", "b mcp:fs:read", "e other", "c mcp:fs:read", "d mcp:fs:read"]
    )
    assert.strictEqual(untyped<{ name: string }>(told[3]).name, "mcp:fs:read")
  })
})
