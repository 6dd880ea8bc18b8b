import { assert, describe, it } from "@effect/vitest"
import { createMiddlewareRegistry } from "../../../src/middleware/Middleware.ts"
import type { Middleware, MiddlewareRegistry } from "../../../src/ports/MiddlewarePort.ts"
import type { ToolResult } from "../../../src/schema/ToolResult.ts"
import { ToolBlockedError } from "../../../src/errors/ToolBlockedError.ts"
import { callOf, dispatched, throwing, tool, untyped } from "../dispatching.ts"

const tools = [tool("t", () => "raw")]
const withHook = (middleware: Middleware<ToolResult>, errorPolicy: "event" | "throw" = "event") => {
  const registry = createMiddlewareRegistry({ errorPolicy })
  registry.use("tool_result", middleware)
  return dispatched(callOf("t"), { tools, middleware: registry })
}

describe("applyResultMiddleware", () => {
  it("T18: a hook that throws under policy throw is reported like a tool that throws", async () => {
    for (const error of [
      new Error("bad"),
      new ToolBlockedError({ reason: "tool_denied", error: { message: "bad" } })
    ]) {
      const { result, types, statuses } = await withHook(throwing(error), "throw")
      assert.strictEqual(result.error?.message, "bad")
      assert.isUndefined(result.value)
      assert.deepEqual(types, ["tool_execution_started", "tool_execution_error"])
      assert.deepEqual(statuses, ["started", "error"])
    }
  })

  it("T23: a hook that throws under policy event is skipped", async () => {
    const { result, types } = await withHook(throwing(new Error("bad")))
    assert.strictEqual(result.value, "raw")
    assert.deepEqual(types, ["tool_execution_started", "tool_execution_finished"])
  })

  it("T18: what a hook answers is checked like a tool's own answer, under either policy", async () => {
    const garbage: ReadonlyArray<unknown> = [
      null,
      "text",
      7,
      [],
      new Error("x"),
      { content: "abc" },
      { content: [null] }
    ]
    for (const errorPolicy of ["event", "throw"] as const) {
      for (const answer of garbage) {
        const { result, types } = await withHook(() => untyped<ToolResult>(answer), errorPolicy)
        assert.include(result.error?.message, "Tool t returned no valid result")
        assert.deepEqual(types, ["tool_execution_started", "tool_execution_error"])
      }
    }
  })

  it("T18: a hook that garbles the result in place fails the call too", async () => {
    const { result } = await withHook((value) => Object.assign(value, { content: "abc" }))
    assert.include(result.error?.message, "content must be an array of content blocks")
  })

  it("T18: events, rows and the caller see the result as the hooks left it", async () => {
    const { result, events, rows } = await withHook((value) => ({
      ...value,
      value: "cooked",
      content: [{ type: "text", text: "cooked" }],
      metadata: { cooked: true }
    }))
    const expected: ToolResult = {
      toolCallId: "call-t",
      name: "t",
      value: "cooked",
      content: [{ type: "text", text: "cooked" }],
      metadata: { cooked: true }
    }
    assert.deepEqual(result, expected)
    assert.deepInclude(events[1], { type: "tool_execution_finished", result: expected })
    assert.deepInclude(rows[1], { status: "finished", result: expected })
  })

  it("T18: a hook cannot make the result that of another call", async () => {
    const { result } = await withHook((value) => ({ ...value, toolCallId: "other", name: "other" }))
    assert.deepEqual(result, { toolCallId: "call-t", name: "t", value: "raw" })
  })

  it("T18: an error that a hook adds is part of a finished result", async () => {
    const { result, types } = await withHook((value) => ({ ...value, error: { message: "flagged" } }))
    assert.deepEqual(result.error, { message: "flagged" })
    assert.deepEqual(types, ["tool_execution_started", "tool_execution_finished"])
  })

  it("T18: a registry that is the host's own is asked as well", async () => {
    const middleware: MiddlewareRegistry = {
      use: () => () => undefined,
      list: () => [],
      run: (hook, value) => Promise.resolve(hook === "tool_result" ? { ...value, value: "own" } : value)
    }
    const { result } = await dispatched(callOf("t"), { tools, middleware })
    assert.strictEqual(result.value, "own")
  })
})
