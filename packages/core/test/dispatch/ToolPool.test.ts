import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { ToolPool } from "../../src/dispatch/ToolPool.ts"
import type { ToolBatch } from "../../src/ports/LoopStrategy.ts"
import type { ToolCallContent } from "../../src/schema/Content.ts"
import type { ToolResult } from "../../src/schema/ToolResult.ts"
import { callOf, gate, type Gate, rejection, settle, throwing, untyped } from "./dispatching.ts"

const callsOf = (count: number): ReadonlyArray<ToolCallContent> =>
  Array.from({ length: count }, (_, at) => callOf("t", { at }, `c${at}`))
const resultOf = ({ id, name }: ToolCallContent): ToolResult => ({ toolCallId: id, name, value: id })
const idsOf = (results: ReadonlyArray<ToolResult>) => results.map((result) => result.toolCallId)

/** A batch whose calls end when the test says so. */
const held = (count: number, concurrency: number, signal = new AbortController().signal) => {
  const started: Array<string> = []
  const gates = new Map<string, Gate<void>>()
  const batch: ToolBatch = {
    calls: callsOf(count),
    concurrency,
    signal,
    dispatch: (call) => {
      started.push(call.id)
      const ending = gate()
      gates.set(call.id, ending)
      return ending.promise.then(() => resultOf(call))
    }
  }
  const end = (id: string) => {
    gates.get(id)?.resolve()
    return settle()
  }
  const fail = (id: string, error: unknown) => {
    gates.get(id)?.reject(error)
    return settle()
  }
  const outcome = Promise.resolve(untyped<Promise<ReadonlyArray<ToolResult>>>(ToolPool.live.runAll(batch)))
  return { started, end, fail, outcome }
}

describe("ToolPool", () => {
  it("T29: a signal that is aborted beforehand starts nothing, at any concurrency", async () => {
    for (const concurrency of [1, 2, 8]) {
      const { outcome, started } = held(3, concurrency, AbortSignal.abort("stop"))
      assert.strictEqual(await rejection(outcome), "stop")
      assert.deepEqual(started, [])
    }
    const { outcome } = held(0, 4, AbortSignal.abort("stop"))
    assert.strictEqual(await rejection(outcome), "stop")
  })

  it("T29: after an abort no call is claimed, and the batch rejects when the next running call ends", async () => {
    for (const concurrency of [1, 2]) {
      const controller = new AbortController()
      const { end, outcome, started } = held(4, concurrency, controller.signal)
      const rejected = rejection(outcome)
      await end("c0")
      const before = [...started]
      controller.abort("stop")
      await end("c1")
      assert.strictEqual(await rejected, "stop")
      await end("c2")
      assert.deepEqual(started, before)
    }
  })

  it("T29: a call that aborts the batch while it is being started is the last one", async () => {
    for (const concurrency of [1, 3]) {
      const controller = new AbortController()
      const started: Array<string> = []
      const outcome = ToolPool.live.runAll({
        calls: callsOf(3),
        concurrency,
        signal: controller.signal,
        dispatch: (call) => {
          started.push(call.id)
          controller.abort("stop")
          return Promise.resolve(resultOf(call))
        }
      })
      assert.strictEqual(await rejection(untyped(outcome)), "stop")
      await settle()
      assert.deepEqual(started, ["c0"])
    }
  })

  it("P24: a dispatch that rejects or throws fails the batch with its error, and no further call is claimed", async () => {
    const error = new Error("ledger")
    const { end, fail, outcome, started } = held(4, 2)
    const rejected = rejection(outcome)
    await fail("c1", error)
    await end("c0")
    assert.strictEqual(await rejected, error)
    assert.deepEqual(started, ["c0", "c1"])
    for (const concurrency of [1, 3]) {
      const batch = { calls: callsOf(3), concurrency, signal: new AbortController().signal, dispatch: throwing(error) }
      assert.strictEqual(await rejection(untyped(ToolPool.live.runAll(batch))), error)
    }
  })

  it("P24: a dispatch that throws in a later claim settles the batch", async () => {
    const error = new Error("ledger")
    let claims = 0
    const outcome = ToolPool.live.runAll({
      calls: callsOf(3),
      concurrency: 1,
      signal: new AbortController().signal,
      dispatch: (call) => {
        claims += 1
        if (claims === 2) throw error
        return Promise.resolve(resultOf(call))
      }
    })
    assert.strictEqual(await rejection(untyped(outcome)), error)
    assert.strictEqual(claims, 2)
  })

  it("P24: several that reject make one rejection, and leave none unhandled", async () => {
    const { fail, outcome } = held(3, 3)
    const rejected = rejection(outcome)
    await fail("c2", "first")
    await fail("c0", "second")
    await fail("c1", "third")
    assert.strictEqual(await rejected, "first")
  })

  it("T25: calls are claimed in their order, the next one by whoever is free first", async () => {
    const { end, outcome, started } = held(5, 2)
    assert.deepEqual(started, ["c0", "c1"])
    await end("c1")
    assert.deepEqual(started, ["c0", "c1", "c2"])
    await end("c2")
    await end("c0")
    assert.deepEqual(started, ["c0", "c1", "c2", "c3", "c4"])
    await end("c4")
    await end("c3")
    assert.deepEqual(idsOf(await outcome), ["c0", "c1", "c2", "c3", "c4"])
  })

  it("T31: no calls are no work", async () => {
    for (const concurrency of [1, 4]) assert.deepEqual(await held(0, concurrency).outcome, [])
  })

  it("T24: a concurrency that is no number of calls is 1, and a batch never hangs by it", async () => {
    for (const concurrency of [0, -3, 0.5, Number.NaN, Infinity, untyped<number>(undefined)]) {
      const { end, outcome, started } = held(2, concurrency)
      assert.deepEqual(started, ["c0"])
      await end("c0")
      await end("c1")
      assert.deepEqual(idsOf(await outcome), ["c0", "c1"])
    }
    const { started } = held(4, 2.9)
    assert.deepEqual(started, ["c0", "c1"])
  })

  it("T29: nothing is left behind at the signal", async () => {
    const listeners = { added: 0, removed: 0 }
    const signal: AbortSignal = Object.assign(new AbortController().signal, {
      addEventListener: () => void (listeners.added += 1),
      removeEventListener: () => void (listeners.removed += 1)
    })
    const { end, outcome } = held(1, 1, signal)
    await end("c0")
    await outcome
    assert.deepEqual(listeners, { added: 0, removed: 0 })
  })

  it.effect.prop(
    "T25, T28: whatever each call takes, results keep their order, claims too, and the peak is exactly what is allowed",
    {
      durations: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))),
      concurrency: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 }))
    },
    ({ concurrency, durations }) =>
      Effect.gen(function* () {
        const context = yield* Effect.context()
        const seen = { started: [] as Array<string>, running: 0, peak: 0 }
        const outcome: { results?: ReadonlyArray<ToolResult> } = {}
        const runs = ToolPool.live.runAll({
          calls: callsOf(durations.length),
          concurrency,
          signal: new AbortController().signal,
          dispatch: (call) => {
            seen.started.push(call.id)
            seen.running += 1
            seen.peak = Math.max(seen.peak, seen.running)
            const work = Effect.sleep(durations[Number(call.arguments.at)] ?? 0)
            return Effect.runPromiseWith(context)(work).then(() => {
              seen.running -= 1
              return resultOf(call)
            })
          }
        })
        void untyped<Promise<ReadonlyArray<ToolResult>>>(runs).then((results) => (outcome.results = results))
        yield* Effect.promise(settle)
        for (let tick = 0; outcome.results === undefined && tick < 2000; tick += 1) {
          yield* TestClock.adjust(1)
          yield* Effect.promise(settle)
        }
        const ids = callsOf(durations.length).map((call) => call.id)
        assert.deepEqual(idsOf(outcome.results ?? []), ids)
        assert.deepEqual(seen.started, ids)
        assert.strictEqual(seen.peak, Math.min(concurrency, durations.length))
      })
  )

  it.effect("T25: the service is the live pool, and a host may replace it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* ToolPool.pipe(Effect.provide(ToolPool.layer)), ToolPool.live)
      assert.strictEqual(ToolPool.key, "@arnilo/prism-core/dispatch/ToolPool")
    })
  )
})
