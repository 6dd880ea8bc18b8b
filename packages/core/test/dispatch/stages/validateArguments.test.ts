import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ToolExecutionContext, ToolValidator } from "../../../src/ports/ToolDefinition.ts"
import { callOf, dispatched, throwing, tool, untyped } from "../dispatching.ts"

const ran: Array<unknown> = []
const tools = [tool("write", (args) => ran.push(args))]
const validated = (validate: ToolValidator, secrets: ReadonlyArray<string> = []) =>
  dispatched(callOf("write", { path: "a" }), { tools, validate, secrets })
const answered = (answer: unknown) => validated(untyped<ToolValidator>(() => answer))

describe("validateArguments", () => {
  it("T14: a validator that throws, rejects or fails blocks, with its message redacted", async () => {
    const failures: ReadonlyArray<ToolValidator> = [
      throwing(new Error("bad sk-1")),
      () => Promise.reject(new Error("bad sk-1")),
      () => Effect.fail(new Error("bad sk-1"))
    ]
    for (const validate of failures) {
      const { result, events, rows } = await validated(validate, ["sk-1"])
      assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "validation_failed" })
      assert.strictEqual(result.error?.message, "bad [REDACTED]")
      assert.notInclude(JSON.stringify([events, rows]), "sk-1")
    }
    assert.deepEqual(ran, [])
  })

  it("T13: text becomes the message and an ErrorInfo is used as it is, both redacted", async () => {
    assert.deepEqual((await validated(() => "no sk-1", ["sk-1"])).result.error, { message: "no [REDACTED]" })
    const error = { name: "Bad", message: "no sk-1", code: "bad_path", retryAfterMs: 5, cause: { at: "sk-1" } }
    const { result, events } = await validated(() => Promise.resolve(error), ["sk-1"])
    const redacted = { ...error, message: "no [REDACTED]", cause: { at: "[REDACTED]" } }
    assert.deepEqual(result.error, redacted)
    assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "validation_failed", error: redacted })
    assert.deepEqual((await answered("")).result.error, { message: "" })
    assert.deepEqual(ran, [])
  })

  it("T14: an answer that is neither nothing, text nor an error blocks", async () => {
    for (const answer of [null, true, false, 0, {}, { ok: true }, [], () => undefined]) {
      const { result, events } = await answered(answer)
      assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "validation_failed" })
      assert.deepEqual(result.error, { message: "Tool validator gave no valid answer" })
    }
    assert.deepEqual(ran, [])
  })

  it("T14: an error that cannot be read, or stored, does not get the tool to run", async () => {
    const unreadable = Object.defineProperty({}, "message", { enumerable: true, get: throwing(new Error("getter")) })
    assert.deepEqual((await answered(unreadable)).result.error, { message: "[Unreadable]" })
    const cause: Record<string, unknown> = {}
    cause.self = cause
    assert.deepEqual((await answered({ message: "no", cause })).result.error, {
      message: "no",
      cause: { self: "[Circular]" }
    })
    assert.deepEqual(ran, [])
  })

  it("T8: a validator has no progress to tell: a blocked call keeps its one event and its one row", async () => {
    const { types, statuses } = await validated((_, __, context) => {
      void context.progress?.("half")
      return "no"
    })
    assert.deepEqual(types, ["tool_execution_blocked"])
    assert.deepEqual(statuses, ["blocked"])
  })

  it("T13: it is asked after permission has passed, with tool, arguments and context; nothing passes", async () => {
    const asked: Array<unknown> = []
    const signal = new AbortController().signal
    const validate: ToolValidator = (of, args, context) => void asked.push(of, args, context)
    const denied = { tools, validate, permission: { check: () => ({ allowed: false }) } }
    await dispatched(callOf("write"), denied)
    assert.deepEqual(asked, [])
    const { types } = await dispatched(callOf("write", { path: "a" }), {
      tools,
      validate,
      context: { signal, metadata: { user: "u1" } }
    })
    const context: ToolExecutionContext = {
      sessionId: "s",
      runId: "r",
      toolCallId: "call-write",
      signal,
      metadata: { user: "u1" }
    }
    assert.deepEqual(asked, [tools[0], { path: "a" }, context])
    assert.deepEqual(types, ["tool_execution_started", "tool_execution_finished"])
    assert.deepEqual(ran, [{ path: "a" }])
  })

  it("T13: what a validator changes in the arguments is what the tool gets", async () => {
    const seen: Array<unknown> = []
    const validate: ToolValidator = (_, args) => void Object.assign(args, { limit: 10 })
    await dispatched(callOf("write", { path: "a" }), { tools: [tool("write", (args) => seen.push(args))], validate })
    assert.deepEqual(seen, [{ path: "a", limit: 10 }])
  })
})
