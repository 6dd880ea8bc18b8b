import { assert, describe, it } from "@effect/vitest"
import type { DispatchScope } from "../../src/dispatch/DispatchScope.ts"
import { dispatchToolCall } from "../../src/dispatch/dispatchToolCall.ts"
import { createMiddlewareRegistry } from "../../src/middleware/Middleware.ts"
import { drive, drivePromise, unstoppable } from "../../src/ports/Steps.ts"
import type { ToolCallContent } from "../../src/schema/Content.ts"
import type { ToolResult } from "../../src/schema/ToolResult.ts"
import { LedgerWriter } from "../../src/store/RunLedger.ts"
import { callOf, gate, recordingLedger, rejection, scopeFor, settle, tool, typesOf } from "./dispatching.ts"

/** A scope that writes down what it is asked and told, in order. `refusing` names the gate that says no. */
const traced = (refusing?: "filter" | "permission" | "validate") => {
  const log: Array<string> = []
  const { ledger } = recordingLedger(({ status }) => void log.push(`row ${status}`))
  const middleware = createMiddlewareRegistry()
  middleware.use<ToolCallContent>("tool_call", (call) => (log.push("tool_call"), call))
  middleware.use<ToolResult>("tool_result", (result) => (log.push("tool_result"), result))
  const { scope } = scopeFor([tool("read", () => log.push("execute"))], {
    filter: refusing === "filter" ? { deny: ["read"] } : undefined,
    middleware,
    ledger: new LedgerWriter(ledger, unstoppable),
    emit: (event) => void log.push(event.type),
    permission: { check: () => (log.push("permission"), { allowed: refusing !== "permission" }) },
    validate: () => (log.push("validate"), refusing === "validate" ? "no" : undefined)
  })
  return { log, dispatch: (call: ToolCallContent) => drive(dispatchToolCall(scope, call), unstoppable) }
}

const blockedEnd = ["tool_execution_blocked", "row blocked"]

describe("dispatchToolCall", () => {
  it("T7, T8: the first gate that fails decides, and none behind it is asked", () => {
    for (const [trial, call, asked] of [
      [traced(), callOf("other"), ["tool_call"]],
      [traced("filter"), callOf("read"), ["tool_call"]],
      [traced(), { ...callOf("read"), argumentsError: { message: "cut off" } }, ["tool_call"]],
      [traced("permission"), callOf("read"), ["tool_call", "permission"]],
      [traced("validate"), callOf("read"), ["tool_call", "permission", "validate"]]
    ] as const) {
      void trial.dispatch(call)
      assert.deepEqual(trial.log, [...asked, ...blockedEnd])
    }
  })

  it("T7, T15: the order is middleware, gates, start, tool, middleware, end; a row behind each event", () => {
    const { dispatch, log } = traced()
    void dispatch(callOf("read"))
    assert.deepEqual(log, [
      "tool_call",
      "permission",
      "validate",
      "tool_execution_started",
      "row started",
      "execute",
      "tool_result",
      "tool_execution_finished",
      "row finished"
    ])
  })

  it("hosts that answer at once make no Promise", () => {
    const { dispatch } = traced()
    assert.deepEqual(dispatch(callOf("read")), { toolCallId: "call-read", name: "read", value: 6 })
  })

  it("T29: a policy, validator or middleware that aborts its own run while it is asked keeps the tool from starting", async () => {
    const stopping = async (asked: (stop: () => void) => Partial<DispatchScope>) => {
      const ran: Array<string> = []
      const stop = () => Object.assign(stoppable, { stopped: true, stopReason: new Error("aborted") })
      const { events, scope } = scopeFor([tool("write", () => ran.push("write"))], asked(stop))
      const stoppable: DispatchScope = {
        ...scope,
        emit: (event) => (stoppable.stopped ? undefined : scope.emit(event))
      }
      await rejection(drivePromise(dispatchToolCall(stoppable, callOf("write")), stoppable))
      return { ran, events }
    }
    const outcomes = await Promise.all([
      stopping((stop) => ({ permission: { check: () => (stop(), { allowed: true }) } })),
      stopping((stop) => ({ validate: () => stop() }))
    ])
    for (const { events, ran } of outcomes) {
      assert.deepEqual(ran, [])
      assert.deepEqual(events, [])
    }
  })

  it("T29: a run that stops while a gate waits neither starts the tool nor tells anything", async () => {
    const ran: Array<string> = []
    const answer = gate<{ readonly allowed: boolean }>()
    const driver = { ...unstoppable, stopped: false, stopReason: undefined as unknown }
    const { scope, events } = scopeFor([tool("write", () => ran.push("write"))], {
      permission: { check: () => answer.promise }
    })
    const dispatching = drivePromise(dispatchToolCall(scope, callOf("write")), driver)
    driver.stopped = true
    driver.stopReason = new Error("aborted")
    answer.resolve({ allowed: true })
    assert.strictEqual(await rejection(dispatching), driver.stopReason)
    assert.deepEqual(ran, [])
    assert.deepEqual(events, [])
  })

  it("P21: a slow listener is waited for before the next stage", async () => {
    const started = gate()
    const ran: Array<string> = []
    const told: Array<string> = []
    const { scope } = scopeFor([tool("read", () => ran.push("read"))], {
      emit: (event) => {
        told.push(event.type)
        return started.promise
      }
    })
    const dispatching = drivePromise(dispatchToolCall(scope, callOf("read")), unstoppable)
    await settle()
    assert.deepEqual(ran, [])
    started.resolve()
    await dispatching
    assert.deepEqual(ran, ["read"])
    assert.deepEqual(told, ["tool_execution_started", "tool_execution_finished"])
  })

  it("T22: a clock that goes backwards makes no negative duration", () => {
    let now = 1000
    const { scope, events } = scopeFor([tool("read", () => void (now = 400))], { now: () => now })
    void drive(dispatchToolCall(scope, callOf("read")), unstoppable)
    assert.deepEqual(typesOf(events), ["tool_execution_started", "tool_execution_finished"])
    assert.deepInclude(events[1], { metadata: { durationMs: 0, status: "finished" } })
  })

  it("T22: the duration is that of the whole dispatch", () => {
    let now = 1000
    const { scope, events } = scopeFor([tool("read", () => void (now += 250))], {
      now: () => now,
      permission: { check: () => ((now += 100), { allowed: true }) }
    })
    void drive(dispatchToolCall(scope, callOf("read")), unstoppable)
    assert.deepInclude(events[1], { metadata: { durationMs: 350, status: "finished" } })
  })
})
