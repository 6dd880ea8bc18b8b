import { assert, describe, it } from "@effect/vitest"
import { createMiddlewareRegistry } from "../../../src/middleware/Middleware.ts"
import type { Middleware, MiddlewareRegistry } from "../../../src/ports/MiddlewarePort.ts"
import type { ToolCallContent } from "../../../src/schema/Content.ts"
import { callOf, dispatched, throwing, tool, untyped } from "../dispatching.ts"

const withHook = (
  middleware: Middleware<ToolCallContent>,
  errorPolicy: "event" | "throw" = "event"
): MiddlewareRegistry => {
  const registry = createMiddlewareRegistry({ errorPolicy })
  registry.use("tool_call", middleware)
  return registry
}
const renaming = (name: string): MiddlewareRegistry => withHook((call) => ({ ...call, id: "new", name }))

describe("applyCallMiddleware", () => {
  it("T6: a call renamed to a denied tool is blocked under its new name", async () => {
    const ran: Array<string> = []
    const { result, events, rows } = await dispatched(callOf("read"), {
      tools: [tool("read", () => ran.push("read")), tool("delete", () => ran.push("delete"))],
      filter: { deny: ["delete"] },
      middleware: renaming("delete")
    })
    assert.deepEqual(result, { toolCallId: "new", name: "delete", error: { message: "Tool denied: delete" } })
    assert.deepInclude(events[0], { type: "tool_execution_blocked", toolCallId: "new", name: "delete" })
    assert.deepInclude(rows[0], { status: "blocked", toolCallId: "new", name: "delete" })
    assert.deepEqual(ran, [])
  })

  it("T6: a call renamed to an unknown tool, or given arguments that are none, is blocked", async () => {
    const tools = [tool("read")]
    const unknown = await dispatched(callOf("read"), { tools, middleware: renaming("nowhere") })
    assert.strictEqual(unknown.result.error?.message, "Unknown tool: nowhere")
    const garbled = await dispatched(callOf("read"), {
      tools,
      middleware: withHook((call) => ({ ...call, arguments: untyped(["x"]) }))
    })
    assert.strictEqual(garbled.result.error?.message, "Tool arguments must be a JSON object")
  })

  it("T6: permission and validator see the call as it was rewritten", async () => {
    const seen: Array<unknown> = []
    await dispatched(callOf("read", { path: "a" }), {
      tools: [tool("read"), tool("list")],
      middleware: withHook((call) => ({ ...call, id: "new", name: "list", arguments: { path: "b" } })),
      permission: { check: ({ target }) => (seen.push(target), { allowed: true }) },
      validate: (of, args, context) => void seen.push(of.name, args, context.toolCallId)
    })
    assert.deepEqual(seen, ["list", "list", { path: "b" }, "new"])
  })

  it("T6, T20: result, events, rows and context carry the rewritten id and name", async () => {
    const { result, events, rows } = await dispatched(callOf("read"), {
      tools: [tool("list", (_, context) => context.toolCallId)],
      middleware: renaming("list")
    })
    assert.deepEqual(result, { toolCallId: "new", name: "list", value: "new" })
    assert.deepInclude(events[0], { type: "tool_execution_started", call: callOf("list", {}, "new") })
    assert.deepEqual(
      rows.map(({ name, status, toolCallId }) => ({ name, status, toolCallId })),
      [
        { name: "list", status: "started", toolCallId: "new" },
        { name: "list", status: "finished", toolCallId: "new" }
      ]
    )
  })

  it("T23: under policy event a hook that throws is skipped and opens no gate", async () => {
    const ran: Array<string> = []
    const trial = { tools: [tool("read", () => ran.push("read"))], middleware: withHook(throwing(new Error("bad"))) }
    const denied = await dispatched(callOf("read"), { ...trial, permission: { check: () => ({ allowed: false }) } })
    assert.deepEqual(denied.types, ["tool_execution_blocked"])
    assert.deepEqual(ran, [])
    const allowed = await dispatched(callOf("read"), trial)
    assert.deepEqual(allowed.types, ["tool_execution_started", "tool_execution_finished"])
  })

  it("T16, T23: under policy throw the call has failed and its tool does not run; the dispatch resolves", async () => {
    const ran: Array<string> = []
    const { result, types, statuses } = await dispatched(callOf("read"), {
      tools: [tool("read", () => ran.push("read"))],
      middleware: withHook(throwing(new Error("bad")), "throw")
    })
    assert.deepEqual(result, { toolCallId: "call-read", name: "read", error: { name: "Error", message: "bad" } })
    assert.deepEqual(types, ["tool_execution_error"])
    assert.deepEqual(statuses, ["error"])
    assert.deepEqual(ran, [])
  })

  it("T16, T23: a hook that answers with garbage fails the call under either policy", async () => {
    const ran: Array<string> = []
    const garbage: ReadonlyArray<unknown> = [null, "read", {}, { id: "new" }, { id: 1, name: "read" }]
    for (const errorPolicy of ["event", "throw"] as const) {
      for (const answer of garbage) {
        const { result, types } = await dispatched(callOf("read"), {
          tools: [tool("read", () => ran.push("read"))],
          middleware: withHook(() => untyped<ToolCallContent>(answer), errorPolicy)
        })
        assert.strictEqual(result.error?.message, "tool_call middleware must return a tool call with id and name")
        assert.deepEqual(types, ["tool_execution_error"])
      }
    }
    assert.deepEqual(ran, [])
  })

  it("T7: a hook that throws what looks like a refusal has failed and has not blocked", async () => {
    const { ToolBlockedError } = await import("../../../src/errors/ToolBlockedError.ts")
    const refusal = new ToolBlockedError({ reason: untyped("made_up"), error: { message: "no" } })
    const { types, result } = await dispatched(callOf("read"), {
      tools: [tool("read")],
      middleware: withHook(throwing(refusal), "throw")
    })
    assert.deepEqual(types, ["tool_execution_error"])
    assert.strictEqual(result.error?.message, "no")
  })
})
