import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { LedgerError } from "../../../src/errors/LedgerError.ts"
import { ToolBlockedError } from "../../../src/errors/ToolBlockedError.ts"
import { createMiddlewareRegistry } from "../../../src/middleware/Middleware.ts"
import type { ToolDefinition, ToolExecutionContext, ToolRegistry } from "../../../src/ports/ToolDefinition.ts"
import type { ErrorInfo } from "../../../src/schema/ErrorInfo.ts"
import type { ToolResult } from "../../../src/schema/ToolResult.ts"
import { answering, callOf, dispatched, recordingLedger, throwing, tool, untyped } from "../dispatching.ts"

class Down extends Data.TaggedError("Down")<{ readonly message: string }> {}

const run = (execute: ToolDefinition["execute"], more: Partial<ToolDefinition> = {}) =>
  dispatched(callOf("t", { path: "a" }), { tools: [{ name: "t", execute, ...more }] })
const answered = (answer: unknown) => dispatched(callOf("t"), { tools: [answering("t", answer)] })
const invalid = (problem: string) => ({
  name: "ToolResultError",
  message: `Tool t returned no valid result: ${problem}`,
  code: "ERR_PRISM_TOOL_RESULT_INVALID"
})

describe("executeTool", () => {
  it("T16: whatever a tool throws, rejects or fails with is an error result, an error event and an error row", async () => {
    const failures: ReadonlyArray<readonly [unknown, ErrorInfo]> = [
      [new RangeError("too far"), { name: "RangeError", message: "too far" }],
      [Object.assign(new Error("gone"), { code: "ENOENT" }), { name: "Error", message: "gone", code: "ENOENT" }],
      [new Down({ message: "down" }), { name: "Down", message: "down" }],
      ["text", { message: "text" }],
      [undefined, { message: "undefined" }],
      [null, { message: "null" }],
      [0, { message: "0" }],
      [Symbol("odd"), { message: "Symbol(odd)" }],
      [
        { message: "plain", code: 7 },
        { message: "plain", code: 7 }
      ],
      [Object.create(null), { message: "[Unreadable]" }],
      [Object.defineProperty(new Error("x"), "message", { get: throwing(1) }), { message: "[Unreadable]" }]
    ]
    for (const [failure, error] of failures) {
      for (const execute of [
        throwing(failure),
        () => Promise.reject(failure),
        () => Effect.fail(failure),
        () => Effect.die(failure)
      ]) {
        const { result, events, types, statuses } = await run(execute)
        assert.deepEqual(result, { toolCallId: "call-t", name: "t", error })
        assert.deepEqual(types, ["tool_execution_started", "tool_execution_error"])
        assert.deepInclude(events[1], { call: callOf("t", { path: "a" }), error })
        assert.deepEqual(statuses, ["started", "error"])
      }
    }
  })

  it("T16: what is no result at all is the tool's failure", async () => {
    const garbage: ReadonlyArray<readonly [unknown, string]> = [
      [undefined, "undefined"],
      [null, "null"],
      ["text", "string"],
      [7, "number"],
      [true, "boolean"],
      [() => 1, "function"],
      [[{ value: 1 }], "an array"],
      [new Error("returned"), "an error"],
      [new Down({ message: "returned" }), "an error"]
    ]
    for (const [answer, what] of garbage) {
      for (const given of [answer, Promise.resolve(answer), Effect.succeed(answer)]) {
        const { result, types } = await answered(given)
        assert.deepEqual(result.error, invalid(`a result object was expected, not ${what}`))
        assert.deepEqual(types, ["tool_execution_started", "tool_execution_error"])
      }
    }
  })

  it("T16: an execute that is missing, or a thenable that breaks its promises, is the tool's failure", async () => {
    const registry = untyped<ToolRegistry>({ get: () => ({ name: "t" }) })
    assert.include((await dispatched(callOf("t"), { registry })).result.error?.message, "execute")
    assert.deepEqual((await answered({ then: throwing(new Error("no then")) })).result.error, {
      name: "Error",
      message: "no then"
    })
    const getter = Object.defineProperty({}, "then", { get: throwing(new Error("getter")) })
    assert.strictEqual((await answered(getter)).result.error?.message, "getter")
    const twice = {
      then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
        resolve({ value: 1 })
        reject(new Error("second word"))
      }
    }
    assert.deepEqual((await answered(twice)).result, { toolCallId: "call-t", name: "t", value: 1 })
  })

  it("T16: a result whose fields throw when they are read is the tool's failure, not that of whoever reads it", async () => {
    for (const field of ["value", "content", "error", "metadata"]) {
      const answer = Object.defineProperty({}, field, { enumerable: true, get: throwing(new Error(`${field} trap`)) })
      const { result, types } = await answered(answer)
      assert.strictEqual(result.error?.message, `${field} trap`)
      assert.deepEqual(types, ["tool_execution_started", "tool_execution_error"])
    }
  })

  it("T7, E5: a tool that throws what looks like a refusal has failed and was not blocked", async () => {
    const refusal = new ToolBlockedError({ reason: "permission_denied", error: { message: "no" } })
    const { types, statuses, result } = await run(throwing(refusal))
    assert.deepEqual(types, ["tool_execution_started", "tool_execution_error"])
    assert.deepEqual(statuses, ["started", "error"])
    assert.deepInclude(result.error, { message: "no", code: "ERR_PRISM_TOOL_BLOCKED" })
  })

  it("T16: the ledger of a nested dispatch that failed inside a tool fails the tool, not the outer dispatch", async () => {
    const { types, result } = await run(throwing(LedgerError.of(new Error("inner ledger"))))
    assert.deepEqual(types, ["tool_execution_started", "tool_execution_error"])
    assert.strictEqual(result.error?.message, "Run ledger failed: inner ledger")
  })

  it("T16: the tool_result hooks do not see a tool that failed", async () => {
    const seen: Array<unknown> = []
    const middleware = createMiddlewareRegistry()
    middleware.use("tool_result", (result) => void seen.push(result))
    const tools = [{ name: "t", execute: throwing(new Error("bad")) }]
    await dispatched(callOf("t"), { tools, middleware })
    assert.deepEqual(seen, [])
  })

  it("T17: a result with an error is finished: its event, its row, its hooks", async () => {
    const seen: Array<unknown> = []
    const middleware = createMiddlewareRegistry()
    middleware.use("tool_result", (result) => void seen.push(result))
    const error = { name: "NotFound", message: "no such file", code: "ENOENT" }
    const { result, types, statuses } = await dispatched(callOf("t"), {
      tools: [answering("t", { toolCallId: "call-t", name: "t", value: 1, error })],
      middleware
    })
    const expected: ToolResult = { toolCallId: "call-t", name: "t", value: 1, error }
    assert.deepEqual(result, expected)
    assert.deepEqual(seen, [expected])
    assert.deepEqual(types, ["tool_execution_started", "tool_execution_finished"])
    assert.deepEqual(statuses, ["started", "finished"])
  })

  it("T15: the start is told and written before the tool runs, and behind all gates", async () => {
    const order: Array<string> = []
    const { ledger } = recordingLedger(({ status }) => void order.push(`row ${status}`))
    await dispatched(callOf("t"), {
      tools: [tool("t", () => order.push("execute"))],
      emit: (event) => void order.push(event.type),
      ledger,
      permission: { check: () => (order.push("permission"), { allowed: true }) },
      validate: () => void order.push("validate")
    })
    assert.deepEqual(order, [
      "permission",
      "validate",
      "tool_execution_started",
      "row started",
      "execute",
      "tool_execution_finished",
      "row finished"
    ])
  })

  it("T20: the context names session, run and call, with the host's signal and metadata", async () => {
    const seen: Array<ToolExecutionContext> = []
    const signal = new AbortController().signal
    const metadata = { user: "u1" }
    await dispatched(callOf("t"), {
      tools: [tool("t", (_, context) => seen.push(context))],
      context: { signal, metadata }
    })
    const { progress, ...context } = seen[0] ?? untyped<ToolExecutionContext>({})
    assert.deepEqual(context, { sessionId: "s", runId: "r", toolCallId: "call-t", signal, metadata })
    assert.strictEqual(typeof progress, "function")
  })

  it("T20: a value, a Promise, a thenable and an Effect of it are the same to a host; execute keeps its this", async () => {
    const expected = { toolCallId: "call-t", name: "t", value: 7 }
    class Counting {
      readonly name = "t"
      readonly #count = 7
      execute(): ToolResult {
        return { toolCallId: "call-t", name: "t", value: this.#count }
      }
    }
    const thenable = { then: (resolve: (value: ToolResult) => void) => resolve(expected) }
    for (const answer of [expected, Promise.resolve(expected), thenable, Effect.succeed(expected)]) {
      assert.deepEqual((await answered(answer)).result, expected)
    }
    assert.deepEqual((await dispatched(callOf("t"), { tools: [new Counting()] })).result, expected)
  })

  it("a tool that changes its arguments changes neither the call, its events nor its rows", async () => {
    const call = callOf("t", { path: "a", list: [{ n: 1 }], deep: { a: null } })
    const asked = structuredClone(call)
    const { events, rows } = await dispatched(call, {
      tools: [
        tool("t", (args) => {
          const list = untyped<{ list: Array<{ n: number }> }>(args).list
          list.push({ n: 2 })
          Object.assign(list[0] ?? {}, { n: 9 })
          Object.assign(args, { path: "/etc", deep: 1, added: true })
        })
      ]
    })
    assert.deepEqual(call, asked)
    assert.deepInclude(events[0], { call: asked })
    for (const row of rows) assert.deepEqual(row.arguments, asked.arguments)
  })
})
