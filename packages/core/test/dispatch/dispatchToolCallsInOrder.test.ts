import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { dispatchToolCallsInOrder, toolMessage } from "../../src/dispatch/dispatchToolCallsInOrder.ts"
import type { LoopContext, ToolBatch, ToolPoolPort } from "../../src/ports/LoopStrategy.ts"
import type { ToolCallContent } from "../../src/schema/Content.ts"
import type { Message } from "../../src/schema/Message.ts"
import type { ToolResult } from "../../src/schema/ToolResult.ts"
import { callOf, gate, type Gate, rejection, settle, throwing, untyped } from "./dispatching.ts"

const calls = ["a", "b", "c", "d"].map((id) => callOf(id, {}, id))
const resultOf = ({ id, name }: ToolCallContent): ToolResult => ({ toolCallId: id, name, value: id })

interface Trial {
  readonly toolConcurrency?: number
  readonly exclusive?: string
  readonly toolPool?: ToolPoolPort
  readonly signal?: AbortSignal
  readonly dispatch?: (call: ToolCallContent) => Promise<ToolResult>
  readonly append?: (message: Message) => Promise<void>
}

/** A turn whose calls end when the test says so, with what it started, and what it wrote. */
const turn = (given: ReadonlyArray<ToolCallContent>, trial: Trial = {}) => {
  const log: Array<string> = []
  const gates = new Map<string, Gate<void>>(given.map((call) => [call.id, gate()]))
  const history: Array<Message> = []
  const context = untyped<LoopContext>({
    history,
    signal: trial.signal ?? new AbortController().signal,
    toolConcurrency: trial.toolConcurrency ?? 1,
    toolPool: trial.toolPool,
    ...(trial.exclusive === undefined
      ? undefined
      : { isToolCallExclusive: (call: ToolCallContent) => call.name === trial.exclusive }),
    dispatchToolCall: (call: ToolCallContent) => {
      log.push(`start ${call.id}`)
      return trial.dispatch?.(call) ?? gates.get(call.id)?.promise.then(() => resultOf(call))
    },
    appendMessage: (message: Message) => {
      const [block] = message.content
      log.push(`append ${block?.type === "tool_result" ? block.toolCallId : "?"}`)
      return trial.append?.(message) ?? Promise.resolve()
    }
  })
  const end = (id: string) => {
    gates.get(id)?.resolve()
    return settle()
  }
  return { log, history, end, outcome: dispatchToolCallsInOrder(given, context) }
}
const starts = (log: ReadonlyArray<string>) => log.filter((line) => line.startsWith("start")).length

describe("dispatchToolCallsInOrder", () => {
  it("T29: a turn that is aborted beforehand starts and appends nothing, at any concurrency", async () => {
    for (const toolConcurrency of [1, 2, 4]) {
      const { history, log, outcome } = turn(calls, { toolConcurrency, signal: AbortSignal.abort("stop") })
      assert.strictEqual(await rejection(outcome), "stop")
      assert.deepEqual(log, [])
      assert.deepEqual(history, [])
    }
  })

  it("T29: an abort during a call starts no further one and appends no further result", async () => {
    for (const [toolConcurrency, started] of [
      [1, 1],
      [2, 2],
      [4, 4]
    ] as const) {
      const controller = new AbortController()
      const { end, history, log, outcome } = turn(calls, { toolConcurrency, signal: controller.signal })
      const rejected = rejection(outcome)
      await settle()
      controller.abort("stop")
      for (const { id } of calls) await end(id)
      assert.strictEqual(await rejected, "stop")
      assert.strictEqual(starts(log), started)
      assert.lengthOf(log, started)
      assert.deepEqual(history, [])
    }
  })

  it("T29: an abort between two appends appends no further result, at any concurrency", async () => {
    for (const toolConcurrency of [1, 2, 4]) {
      const controller = new AbortController()
      const { history, log, outcome } = turn(calls, {
        toolConcurrency,
        signal: controller.signal,
        dispatch: (call) => Promise.resolve(resultOf(call)),
        append: ({ content: [block] }) => {
          if (block?.type === "tool_result" && block.toolCallId === "b") controller.abort("stop")
          return Promise.resolve()
        }
      })
      assert.strictEqual(await rejection(outcome), "stop")
      assert.deepEqual(
        log.filter((line) => line.startsWith("append")),
        ["append a", "append b"]
      )
      assert.lengthOf(history, 2)
      if (toolConcurrency === 1) assert.strictEqual(starts(log), 2)
    }
  })

  it("T29: an abort while a result is being stored lets that one end, and no more", async () => {
    const controller = new AbortController()
    const stored = gate()
    const { log, outcome } = turn(calls, {
      toolConcurrency: 4,
      signal: controller.signal,
      dispatch: (call) => Promise.resolve(resultOf(call)),
      append: () => stored.promise
    })
    const rejected = rejection(outcome)
    await settle()
    controller.abort("stop")
    stored.resolve()
    assert.strictEqual(await rejected, "stop")
    assert.deepEqual(log.slice(4), ["append a"])
  })

  it("P24: a call whose ledger fails rejects the turn; nothing of a parallel turn is appended", async () => {
    const error = new Error("ledger")
    const dispatch = (call: ToolCallContent) =>
      call.id === "c" ? Promise.reject(error) : Promise.resolve(resultOf(call))
    const parallel = turn(calls, { toolConcurrency: 4, dispatch })
    assert.strictEqual(await rejection(parallel.outcome), error)
    assert.deepEqual(parallel.history, [])
    const oneByOne = turn(calls, { dispatch })
    assert.strictEqual(await rejection(oneByOne.outcome), error)
    assert.deepEqual(oneByOne.log, ["start a", "append a", "start b", "append b", "start c"])
  })

  it("P24: a store that refuses a result rejects the turn at once", async () => {
    const error = new Error("store")
    for (const append of [throwing(error), () => Promise.reject(error)]) {
      const { log, outcome } = turn(calls, { dispatch: (call) => Promise.resolve(resultOf(call)), append })
      assert.strictEqual(await rejection(outcome), error)
      assert.deepEqual(log, ["start a", "append a"])
    }
  })

  it("T31: no calls are a no-op, even after an abort", async () => {
    const { log, outcome } = turn([], { signal: AbortSignal.abort("stop"), toolConcurrency: 4 })
    assert.isUndefined(await outcome)
    assert.deepEqual(log, [])
  })

  it("T27: results are appended in call order after the batch has settled, whatever ended first", async () => {
    const { end, history, log, outcome } = turn(calls, { toolConcurrency: 4 })
    assert.deepEqual(log, ["start a", "start b", "start c", "start d"])
    for (const id of ["d", "b", "a"]) await end(id)
    assert.lengthOf(log, 4)
    await end("c")
    await outcome
    assert.deepEqual(log.slice(4), ["append a", "append b", "append c", "append d"])
    assert.deepEqual(
      history.map((message) => message.content[0]),
      calls.map((call) => ({ type: "tool_result" as const, toolCallId: call.id, name: call.name, result: call.id }))
    )
  })

  it("T27: one at a time, each result is appended before the next call starts", async () => {
    const { end, log, outcome } = turn(calls.slice(0, 2))
    await end("a")
    await end("b")
    await outcome
    assert.deepEqual(log, ["start a", "append a", "start b", "append b"])
  })

  it("T26: an exclusive call makes its whole turn go one at a time, in call order; the next turn does not", async () => {
    const exclusive = turn(calls, { toolConcurrency: 4, exclusive: "c" })
    assert.strictEqual(starts(exclusive.log), 1)
    for (const { id } of calls) await exclusive.end(id)
    await exclusive.outcome
    assert.deepEqual(
      exclusive.log,
      calls.flatMap(({ id }) => [`start ${id}`, `append ${id}`])
    )
    const next = turn(calls.slice(0, 2), { toolConcurrency: 4, exclusive: "c" })
    assert.strictEqual(starts(next.log), 2)
  })

  it("T25: no more calls run at once than there are, or than are allowed", async () => {
    const { end, log } = turn(calls, { toolConcurrency: 3 })
    assert.strictEqual(starts(log), 3)
    await end("b")
    assert.strictEqual(starts(log), 4)
    assert.strictEqual(starts(turn(calls, { toolConcurrency: 100 }).log), 4)
  })

  it("T24: a concurrency that is no number of calls is 1, and the turn ends", async () => {
    for (const toolConcurrency of [0, -1, 0.5, Number.NaN, untyped<number>("4")]) {
      const { end, log, outcome } = turn(calls.slice(0, 2), { toolConcurrency })
      assert.strictEqual(starts(log), 1)
      await end("a")
      await end("b")
      await outcome
    }
  })

  it("T29: a pool that is an Effect is interrupted by the abort, and the turn rejects with its reason", async () => {
    const controller = new AbortController()
    let interrupted = false
    const toolPool: ToolPoolPort = {
      runAll: () => Effect.never.pipe(Effect.onInterrupt(() => Effect.sync(() => void (interrupted = true))))
    }
    const { history, outcome } = turn(calls, { toolConcurrency: 4, toolPool, signal: controller.signal })
    const rejected = rejection(outcome)
    controller.abort("stop")
    assert.strictEqual(await rejected, "stop")
    assert.isTrue(interrupted)
    assert.deepEqual(history, [])
  })

  it("T25: a host's own pool gets the calls, how many may run, the signal and the dispatch", async () => {
    const batches: Array<ToolBatch> = []
    const toolPool: ToolPoolPort = {
      runAll: (batch) => {
        batches.push(batch)
        return Effect.forEach(batch.calls, (call) => Effect.promise(() => Promise.resolve(batch.dispatch(call))), {
          concurrency: batch.concurrency
        })
      }
    }
    const dispatch = (call: ToolCallContent) => Promise.resolve(resultOf(call))
    const { log, outcome } = turn(calls, { toolConcurrency: 3, toolPool, dispatch })
    await outcome
    assert.deepEqual(batches[0]?.calls, calls)
    assert.strictEqual(batches[0]?.concurrency, 3)
    assert.deepEqual(log.slice(4), ["append a", "append b", "append c", "append d"])
  })
})

describe("toolMessage", () => {
  it("T30: a tool message holds the result block, then the content, with the result's metadata", () => {
    const content = [{ type: "text" as const, text: "more" }]
    const result: ToolResult = { toolCallId: "c", name: "t", value: { a: 1 }, content, metadata: { ms: 1 } }
    assert.deepEqual(toolMessage(result), {
      role: "tool",
      content: [{ type: "tool_result", toolCallId: "c", name: "t", result: { a: 1 } }, ...content],
      metadata: { ms: 1 }
    })
  })

  it("T30: value and error are there if the result has them, and an absent field is absent", () => {
    const ids = { toolCallId: "c", name: "t" }
    assert.deepEqual(toolMessage(ids), { role: "tool", content: [{ type: "tool_result", ...ids }] })
    const error = { message: "bad" }
    assert.deepEqual(toolMessage({ ...ids, value: null, error }), {
      role: "tool",
      content: [{ type: "tool_result", ...ids, result: null, error }]
    })
  })
})
