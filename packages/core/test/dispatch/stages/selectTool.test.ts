import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../src/schema/Json.ts"
import type { ToolRegistry } from "../../../src/ports/ToolDefinition.ts"
import { toolCallFromArgumentsText } from "../../../src/provider/toolArguments.ts"
import { callOf, dispatched, throwing, tool, untyped } from "../dispatching.ts"

/** A read tool that must not run, and what it was run with. */
const untouched = () => {
  const ran: Array<JsonObject> = []
  return { ran, tools: [tool("read", (args) => ran.push(args))] }
}

describe("selectTool", () => {
  it("T7, T9: an unknown tool is blocked and runs nothing", async () => {
    const { result, events } = await dispatched(callOf("nowhere"), untouched())
    assert.deepEqual(result, {
      toolCallId: "call-nowhere",
      name: "nowhere",
      error: { message: "Unknown tool: nowhere" }
    })
    assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "unknown_tool" })
    for (const name of ["__proto__", "toString", "constructor", ""]) {
      assert.strictEqual((await dispatched(callOf(name), untouched())).result.error?.message, `Unknown tool: ${name}`)
    }
  })

  it("T7, T9: a tool that a filter leaves out is blocked", async () => {
    const { ran, tools } = untouched()
    for (const filter of [{ deny: ["read"] }, { allow: ["list"] }, [{ allow: ["read"] }, { deny: ["read"] }]]) {
      const { result, events } = await dispatched(callOf("read"), { tools, filter })
      assert.strictEqual(result.error?.message, "Tool denied: read")
      assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "tool_denied" })
    }
    assert.deepEqual(ran, [])
  })

  it("T7: an unknown tool that is denied as well is unknown, and a denied one with bad arguments is denied", async () => {
    const filter = { deny: ["read", "nowhere"] }
    const { tools } = untouched()
    const unknown = await dispatched(callOf("nowhere"), { tools, filter })
    assert.deepInclude(unknown.events[0], { reason: "unknown_tool" })
    const denied = await dispatched(callOf("read", untyped([])), { tools, filter })
    assert.deepInclude(denied.events[0], { reason: "tool_denied" })
  })

  it("T10: arguments that are no JSON object block the call, also of a tool without a validator", async () => {
    const { ran, tools } = untouched()
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const garbage: ReadonlyArray<unknown> = [
      [1],
      "text",
      null,
      undefined,
      7,
      { a: Number.NaN },
      { a: Infinity },
      { a: undefined },
      { a: 1n },
      { a: new Date(0) },
      { a: () => 1 },
      new Map(),
      cyclic
    ]
    for (const args of garbage) {
      const { result, events } = await dispatched({ ...callOf("read"), arguments: untyped(args) }, { tools })
      assert.deepEqual(result.error, { message: "Tool arguments must be a JSON object" })
      assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "invalid_arguments" })
    }
    assert.deepEqual(ran, [])
  })

  it("T10: keys that pollute prototypes are blocked before the tool, at any depth", async () => {
    const { ran, tools } = untouched()
    for (const text of ['{"__proto__":{"admin":true}}', '{"a":{"constructor":1}}', '{"a":[{"b":{"prototype":{}}}]}']) {
      const { events } = await dispatched(callOf("read", JSON.parse(text)), { tools })
      assert.deepInclude(events[0], { reason: "invalid_arguments" })
    }
    assert.deepEqual(ran, [])
  })

  it("T9, D9: argumentsError is the error verbatim and comes before the object check", async () => {
    const { ran, tools } = untouched()
    const argumentsError = { name: "SyntaxError", message: "cut off", code: "invalid_json_arguments", cause: "length" }
    for (const args of [{}, untyped<JsonObject>("garbage")]) {
      const { result, events } = await dispatched({ ...callOf("read", args), argumentsError }, { tools })
      assert.deepEqual(result.error, argumentsError)
      assert.deepInclude(events[0], { reason: "invalid_arguments", error: argumentsError })
    }
    assert.deepEqual(ran, [])
  })

  it("T9: an argumentsError that is no error is described, and blocks all the same", async () => {
    const { ran, tools } = untouched()
    const { result } = await dispatched({ ...callOf("read"), argumentsError: untyped("cut off") }, { tools })
    assert.deepEqual(result.error, { message: "cut off" })
    assert.deepEqual(ran, [])
  })

  it("D9: blank argument text runs the tool with {}; text that is no JSON object blocks the call", async () => {
    const { ran, tools } = untouched()
    await dispatched(toolCallFromArgumentsText("c", "read", " \n"), { tools })
    assert.deepEqual(ran, [{}])
    for (const text of ["[1]", '{"path":', "null"]) {
      const { result, events } = await dispatched(toolCallFromArgumentsText("c", "read", text), { tools })
      assert.strictEqual(result.error?.code, "invalid_json_arguments")
      assert.deepInclude(events[0], { reason: "invalid_arguments" })
    }
    assert.deepEqual(ran, [{}])
  })

  it("T16: a host's own registry that throws fails this call alone", async () => {
    const registry = untyped<ToolRegistry>({ get: throwing(new Error("registry down")) })
    const { result, types } = await dispatched(callOf("read"), { registry })
    assert.strictEqual(result.error?.message, "registry down")
    assert.deepEqual(types, ["tool_execution_error"])
  })
})
