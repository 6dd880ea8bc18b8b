import { assert, describe, it } from "@effect/vitest"
import {
  providerContentDelta,
  providerDone,
  providerError,
  providerTextDelta,
  providerThinkingDelta,
  providerToolCall,
  providerToolCallDelta,
  providerUsage,
  toolCallContent
} from "../../src/provider/providerEvents.ts"

describe("provider event helpers", () => {
  it("D13, R13: an error is described without the secrets", () => {
    assert.deepEqual(providerError(Object.assign(new Error("bad sk-1"), { code: 429, retryAfterMs: 5 }), ["sk-1"]), {
      type: "error",
      error: { name: "Error", message: "bad [REDACTED]", code: 429, retryAfterMs: 5 }
    })
    assert.deepEqual(providerError("sk-1"), { type: "error", error: { message: "sk-1" } })
  })

  it("D7: done has its usage as a member even when there is none", () => {
    const bare = providerDone()
    assert.deepEqual(Object.entries(bare), [
      ["type", "done"],
      ["usage", undefined]
    ])
    assert.deepEqual(providerDone({ inputTokens: 1 }), { type: "done", usage: { inputTokens: 1 } })
    assert.deepEqual(providerUsage({ outputTokens: 2 }), { type: "usage", usage: { outputTokens: 2 } })
  })

  it("D8: fragments and calls are passed on as given", () => {
    const call = toolCallContent("c", "t", { a: 1 })
    assert.deepEqual(call, { type: "tool_call", id: "c", name: "t", arguments: { a: 1 } })
    assert.deepEqual(toolCallContent("c", "t").arguments, {})
    assert.deepEqual(providerToolCall(call), { type: "tool_call", call })
    assert.deepEqual(providerToolCallDelta({ index: 0, argumentsText: "{" }), {
      type: "tool_call_delta",
      index: 0,
      argumentsText: "{"
    })
    assert.deepEqual(Object.keys(providerToolCallDelta({ index: 1, id: "c", name: "t" })), [
      "type",
      "index",
      "id",
      "name"
    ])
  })

  it("D14: content deltas carry one block", () => {
    assert.deepEqual(providerTextDelta("a"), { type: "content_delta", content: { type: "text", text: "a" } })
    assert.deepEqual(Object.keys(providerThinkingDelta("t").content), ["type", "text"])
    assert.deepEqual(providerThinkingDelta("t", "s").content, { type: "thinking", text: "t", signature: "s" })
    const image = { type: "image", url: "u" } as const
    assert.deepEqual(providerContentDelta(image), { type: "content_delta", content: image })
  })
})
