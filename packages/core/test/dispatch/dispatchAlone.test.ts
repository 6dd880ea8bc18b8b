import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { dispatchAlone } from "../../src/dispatch/dispatchAlone.ts"
import { LedgerError } from "../../src/errors/LedgerError.ts"
import type { HostValue } from "../../src/ports/HostValue.ts"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import type { ToolResult } from "../../src/schema/ToolResult.ts"
import { createToolRegistry } from "../../src/tool/ToolRegistry.ts"
import { callOf, dispatched, gate, recordingLedger, rejection, settle, throwing, tool } from "./dispatching.ts"

const result: ToolResult = { toolCallId: "call-t", name: "t", value: 1 }
const failures: ReadonlyArray<() => HostValue<void>> = [
  throwing(new Error("no")),
  () => Promise.reject(new Error("no")),
  () => Effect.fail(new Error("no"))
]

describe("dispatchAlone", () => {
  it("P24: an emit or a ledger that fails at any event rejects the dispatch, tells no more, and is not the tool's failure", async () => {
    const trials = [
      { call: callOf("t"), fatal: "tool_execution_started" },
      { call: callOf("t"), fatal: "tool_execution_finished" },
      { call: callOf("bad"), fatal: "tool_execution_error" },
      { call: callOf("nowhere"), fatal: "tool_execution_blocked" }
    ]
    for (const { call, fatal } of trials) {
      for (const fail of failures) {
        const told: Array<string> = []
        const ran: Array<string> = []
        const tools = [tool("t", () => ran.push("t")), { name: "bad", execute: throwing(new Error("bad")) }]
        const error = await rejection(
          dispatched(call, {
            tools,
            emit: ({ type }) => {
              told.push(type)
              return type === fatal ? fail() : undefined
            }
          })
        )
        assert.instanceOf(error, LedgerError)
        assert.strictEqual(error.message, "Listener emit failed: no")
        assert.strictEqual(told.at(-1), fatal)
        if (fatal === "tool_execution_started") assert.deepEqual(ran, [])
      }
    }
    await settle()
  })

  it("P24: a row that is refused rejects the dispatch with the ledger's error", async () => {
    for (const status of ["started", "finished"] as const) {
      for (const fail of failures) {
        const { ledger } = recordingLedger((row) => (row.status === status ? fail() : undefined))
        const ran: Array<string> = []
        const error = await rejection(dispatched(callOf("t"), { tools: [tool("t", () => ran.push("t"))], ledger }))
        assert.instanceOf(error, LedgerError)
        assert.strictEqual(error.message, "Run ledger failed: no")
        assert.deepEqual(ran, status === "started" ? [] : ["t"])
      }
    }
  })

  it("T29: a dispatch whose signal is aborted beforehand asks nobody, runs nothing and rejects with the reason", async () => {
    const reason = new Error("too late")
    const asked: Array<string> = []
    const error = await rejection(
      dispatched(callOf("t"), {
        tools: [tool("t", () => asked.push("t"))],
        context: { signal: AbortSignal.abort(reason) },
        permission: { check: () => (asked.push("permission"), { allowed: true }) },
        emit: (event) => void asked.push(event.type)
      })
    )
    assert.strictEqual(error, reason)
    assert.deepEqual(asked, [])
  })

  it("T29: an abort while a gate or a listener is asked keeps the tool from starting", async () => {
    const aborting = (controller: AbortController) => (): void => controller.abort(new Error("stop"))
    for (const at of ["permission", "validate", "emit"] as const) {
      const controller = new AbortController()
      const abort = aborting(controller)
      const ran: Array<string> = []
      const { result: settled, statuses } = await dispatched(callOf("t"), {
        tools: [tool("t", () => ran.push("t"))],
        context: { signal: controller.signal },
        permission: { check: () => (at === "permission" && abort(), { allowed: true }) },
        validate: () => (at === "validate" ? abort() : undefined),
        emit: () => (at === "emit" ? abort() : undefined)
      })
      assert.deepEqual(ran, [])
      assert.deepEqual(settled.error, { name: "Error", message: "stop" })
      assert.deepEqual(statuses, ["started", "error"])
    }
  })

  it("T20: an abort interrupts a tool that is an Effect, whose error is then the reason", async () => {
    for (const more of [{}, { timeoutMs: 60_000 }]) {
      const controller = new AbortController()
      let released = false
      const endless = Effect.never.pipe(Effect.onInterrupt(() => Effect.sync(() => void (released = true))))
      const effectTool: ToolDefinition = { name: "t", execute: () => endless, ...more }
      const dispatching = dispatched(callOf("t"), { tools: [effectTool], context: { signal: controller.signal } })
      await settle()
      controller.abort(new Error("stop"))
      const { result: settled, types } = await dispatching
      assert.deepEqual(settled.error, { name: "Error", message: "stop" })
      assert.deepEqual(types, ["tool_execution_started", "tool_execution_error"])
      assert.isTrue(released)
    }
  })

  it("T20: a Promise tool sees the abort at its signal, and its own answer counts", async () => {
    for (const more of [{}, { timeoutMs: 60_000 }]) {
      const controller = new AbortController()
      const answer = gate<ToolResult>()
      const seen: Array<unknown> = []
      const promiseTool: ToolDefinition = {
        name: "t",
        execute: (_, { signal }) => {
          signal?.addEventListener("abort", () => seen.push(signal.reason))
          return answer.promise
        },
        ...more
      }
      const dispatching = dispatched(callOf("t"), { tools: [promiseTool], context: { signal: controller.signal } })
      await settle()
      controller.abort("enough")
      await settle()
      assert.deepEqual(seen, ["enough"])
      answer.resolve(result)
      assert.deepEqual((await dispatching).result, result)
    }
  })

  it("T11: a policy that is an Effect and is interrupted by the abort has denied", async () => {
    const controller = new AbortController()
    const dispatching = dispatched(callOf("t"), {
      tools: [tool("t")],
      context: { signal: controller.signal },
      permission: { check: () => Effect.never }
    })
    controller.abort(new Error("stop"))
    assert.deepEqual((await dispatching).types, ["tool_execution_blocked"])
  })

  it("T41: the tool's own deadline counts, on the clock of the platform", async () => {
    const never: ToolDefinition = { name: "t", timeoutMs: 1, execute: () => new Promise(() => undefined) }
    const { result: settled, types } = await dispatched(callOf("t"), { tools: [never] })
    assert.deepInclude(settled.error, {
      code: "ERR_PRISM_TOOL_TIMEOUT",
      message: "Tool t timed out after 1 ms"
    })
    assert.deepEqual(types, ["tool_execution_started", "tool_execution_error"])
  })

  it("P21: emit is waited for, in the order of the events", async () => {
    const started = gate()
    const ran: Array<string> = []
    const dispatching = dispatched(callOf("t"), {
      tools: [tool("t", () => ran.push("t"))],
      emit: ({ type }) => (type === "tool_execution_started" ? started.promise : Effect.void)
    })
    await settle()
    assert.deepEqual(ran, [])
    started.resolve()
    await dispatching
    assert.deepEqual(ran, ["t"])
  })

  it("E1: events are redacted before emit sees them; the caller's own result is not", async () => {
    const { result: settled, events } = await dispatched(callOf("t", { key: "sk-1" }), {
      tools: [tool("t", (args) => args.key)],
      secrets: ["sk-1"]
    })
    assert.notInclude(JSON.stringify(events), "sk-1")
    assert.strictEqual(settled.value, "sk-1")
  })

  it("T16: nothing but call, registry and context is needed", async () => {
    const { promise, resolve } = gate<unknown>()
    const registry = createToolRegistry([tool("t", (args) => resolve(args))])
    const context = { sessionId: "s", runId: "r", toolCallId: "c" }
    const settled = await dispatchAlone({ call: callOf("t", { a: 1 }), registry, context })
    assert.deepEqual(await promise, { a: 1 })
    assert.deepEqual(settled, { toolCallId: "call-t", name: "t" })
    assert.strictEqual(
      (await dispatchAlone({ call: callOf("x"), registry, context })).error?.message,
      "Unknown tool: x"
    )
  })
})
