import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { dispatchToolCall } from "../../../src/dispatch/dispatchToolCall.ts"
import { LedgerError } from "../../../src/errors/LedgerError.ts"
import type { HostValue } from "../../../src/ports/HostValue.ts"
import type { RunLedgerPort } from "../../../src/ports/RunLedgerPort.ts"
import { drivePromise } from "../../../src/ports/Steps.ts"
import type { ToolExecutionContext } from "../../../src/ports/ToolDefinition.ts"
import type { ToolResult } from "../../../src/schema/ToolResult.ts"
import {
  callOf,
  dispatched,
  gate,
  recordingLedger,
  rejection,
  scopeFor,
  settle,
  throwing,
  tool
} from "../dispatching.ts"

/** A tool that tells progress and is done; it waits for nobody. */
const telling = (...steps: ReadonlyArray<unknown>) =>
  tool("t", (_, context) => {
    for (const step of steps) void context.progress?.(step)
  })
/** A tool that waits until its progress was taken. */
const waiting = (caught: Array<unknown> = []) => ({
  name: "t",
  execute: async (_: unknown, context: ToolExecutionContext) => {
    try {
      await context.progress?.("half")
    } catch (error) {
      caught.push(error)
    }
    return { toolCallId: "call-t", name: "t", value: "done" }
  }
})
const failingFrom = (row: number, how: () => HostValue<void>) => {
  let count = 0
  return recordingLedger(() => {
    count += 1
    return count >= row ? how() : undefined
  })
}

describe("toolContext progress", () => {
  it("P24: a ledger that refuses progress fails the dispatch, whether the tool waits for it, catches it or neither", async () => {
    const failures = [throwing(new Error("full")), () => Promise.reject(new Error("full")), () => Effect.fail("full")]
    for (const how of failures) {
      const caught: Array<unknown> = []
      for (const of of [telling("half"), waiting(caught)]) {
        const { ledger } = failingFrom(2, how)
        const error = await rejection(dispatched(callOf("t"), { tools: [of], ledger }))
        assert.instanceOf(error, LedgerError)
        assert.strictEqual(error.message, "Run ledger failed: full")
      }
      assert.instanceOf(caught[0], LedgerError)
    }
    await settle()
  })

  it("P24: an emit that refuses progress alone ends the dispatch, although nobody waited for it", async () => {
    for (const refuse of [throwing(new Error("no")), () => Promise.reject(new Error("no"))]) {
      const error = await rejection(
        dispatched(callOf("t"), {
          tools: [telling("half")],
          emit: (event) => (event.type === "tool_execution_progress" ? refuse() : undefined)
        })
      )
      assert.instanceOf(error, LedgerError)
      assert.strictEqual(error.message, "Listener emit failed: no")
    }
  })

  it("T19: a progress listener of the host that fails ends the dispatch like an emit that fails", async () => {
    for (const progress of [throwing(new Error("no")), () => Promise.reject(new Error("no"))]) {
      const error = await rejection(dispatched(callOf("t"), { tools: [telling("half")], context: { progress } }))
      assert.instanceOf(error, LedgerError)
      assert.strictEqual(error.message, "Listener progress failed: no")
    }
  })

  it("T19: when several listeners fail at different times, the dispatch rejects and nothing is left unhandled", async () => {
    const late = gate()
    const dispatching = dispatched(callOf("t"), {
      tools: [telling("half", "most")],
      context: { progress: () => late.promise },
      emit: (event) => (event.type === "tool_execution_progress" ? Promise.reject(new Error("emit")) : undefined)
    })
    assert.instanceOf(await rejection(dispatching), LedgerError)
    late.reject(new Error("late"))
    await settle()
    const thrown = gate()
    const throwingEmit = dispatched(callOf("t"), {
      tools: [telling("half")],
      context: { progress: () => thrown.promise },
      emit: (event) => {
        if (event.type === "tool_execution_progress") throw new Error("emit")
      }
    })
    assert.instanceOf(await rejection(throwingEmit), LedgerError)
    thrown.reject(new Error("late"))
    await settle()
  })

  it("P24: progress that is refused after its run was stopped is no unhandled rejection", async () => {
    const refused = gate()
    const answer = gate<ToolResult>()
    const { scope } = scopeFor(
      [
        {
          name: "t",
          execute: (_, context) => {
            void context.progress?.("half")
            void context.progress?.("most")
            return answer.promise
          }
        }
      ],
      { emit: ({ type }) => (type === "tool_execution_progress" ? refused.promise : undefined) }
    )
    const stoppable = { ...scope, stopped: false, stopReason: undefined as unknown }
    const dispatching = drivePromise(dispatchToolCall(stoppable, callOf("t")), stoppable)
    Object.assign(stoppable, { stopped: true, stopReason: "stopped" })
    answer.resolve({ toolCallId: "call-t", name: "t" })
    assert.strictEqual(await rejection(dispatching), "stopped")
    refused.reject(new Error("late"))
    await settle()
  })

  it("T19: each call forwards to the host, emits, and writes a started row with the progress", async () => {
    const forwarded: Array<unknown> = []
    const { events, rows, types } = await dispatched(callOf("t"), {
      tools: [
        tool("t", (_, context) => {
          void context.progress?.({ percent: 50 }, { step: 1 })
          void context.progress?.()
        })
      ],
      context: { progress: (...args) => void forwarded.push(args) }
    })
    assert.deepEqual(types, [
      "tool_execution_started",
      "tool_execution_progress",
      "tool_execution_progress",
      "tool_execution_finished"
    ])
    assert.deepEqual(events[1], {
      type: "tool_execution_progress",
      sessionId: "s",
      runId: "r",
      toolCallId: "call-t",
      name: "t",
      progress: { percent: 50 },
      metadata: { step: 1 }
    })
    assert.notProperty(events[2], "progress")
    assert.deepEqual(forwarded, [
      [{ percent: 50 }, { step: 1 }],
      [undefined, undefined]
    ])
    assert.deepInclude(rows[1], { status: "started", progress: { percent: 50 }, progressMetadata: { step: 1 } })
    assert.deepEqual(
      rows.map((row) => row.status),
      ["started", "started", "started", "finished"]
    )
  })

  it("E5: progress that nobody waited for is told before the call ends, in order, however slow its listeners are", async () => {
    const order: Array<string> = []
    const slow = [gate(), gate()]
    const { ledger } = recordingLedger(({ progress, status }) => {
      order.push(`row ${status} ${String(progress)}`)
      return progress === 1 ? slow[0]?.promise : undefined
    })
    const dispatching = dispatched(callOf("t"), {
      tools: [telling(1, 2)],
      context: { progress: () => slow[1]?.promise },
      ledger,
      emit: (event) => void order.push("progress" in event ? `event ${String(event.progress)}` : event.type)
    })
    await settle()
    const told = ["tool_execution_started", "row started undefined", "event 1", "row started 1", "event 2"]
    assert.deepEqual(order, told)
    slow[0]?.resolve()
    await settle()
    assert.deepEqual(order, [...told, "row started 2"])
    slow[1]?.resolve()
    await dispatching
    assert.deepEqual(order, [...told, "row started 2", "tool_execution_finished", "row finished undefined"])
  })

  it("T19: a tool that waits for its progress goes on when every listener has taken it", async () => {
    const taken = gate()
    const listened: RunLedgerPort["appendToolCall"] = (row) => (row.progress === "half" ? taken.promise : undefined)
    const { ledger } = recordingLedger(listened)
    let done = false
    const dispatching = dispatched(callOf("t"), { tools: [waiting()], ledger }).then((trial) => {
      done = true
      return trial
    })
    await settle()
    assert.isFalse(done)
    taken.resolve()
    assert.strictEqual((await dispatching).result.value, "done")
  })

  it("E5: progress of a tool that has ended belongs to nobody", async () => {
    const contexts: Array<ToolExecutionContext> = []
    const ended = [
      tool("t", (_, context) => contexts.push(context)),
      { name: "t", execute: (_: unknown, context: ToolExecutionContext) => (contexts.push(context), throwing("bad")()) }
    ]
    for (const of of ended) {
      const { events, rows } = await dispatched(callOf("t"), { tools: [of] })
      await contexts.at(-1)?.progress?.("late")
      assert.strictEqual(events.length, 2)
      assert.strictEqual(rows.length, 2)
    }
  })

  it("T20: progress of a call whose signal has aborted belongs to nobody", async () => {
    const controller = new AbortController()
    const { types } = await dispatched(callOf("t"), {
      context: { signal: controller.signal },
      tools: [
        tool("t", (_, context) => {
          controller.abort()
          void context.progress?.("late")
        })
      ]
    })
    assert.deepEqual(types, ["tool_execution_started", "tool_execution_finished"])
  })

  it("T19: a thousand reports that nobody waits for keep their order", async () => {
    const steps = Array.from({ length: 1000 }, (_, step) => step)
    const { events } = await dispatched(callOf("t"), {
      tools: [telling(...steps)],
      context: { progress: () => Promise.resolve() }
    })
    const told = events.flatMap((event) => ("progress" in event ? [event.progress] : []))
    assert.deepEqual(told, steps)
  })
})
