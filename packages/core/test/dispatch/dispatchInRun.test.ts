import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import type { ToolResult } from "../../src/schema/ToolResult.ts"
import { answering, callOf, recordingLedger, throwing, tool, untyped } from "./dispatching.ts"
import { answersIn, calls, concurrent, failureOf, held, opening, pass } from "./toolRuns.ts"

describe("tool calls in a run", () => {
  it.effect("T29: an abort in mid-turn reaches the signals that run, starts nothing more and appends nothing", () =>
    Effect.gen(function* () {
      for (const [toolConcurrency, expected] of [
        [1, ["a"]],
        [2, ["a", "b"]],
        [4, ["a", "b", "c", "d"]]
      ] as const) {
        const { contexts, end, started, work } = held()
        const scene = { tools: [work], turns: [calls], settings: concurrent(toolConcurrency) }
        const { provider, session, start } = yield* opening(scene)
        const running = yield* start()
        const reason = new Error("stop")
        yield* session.abort(reason)
        assert.propertyVal(yield* failureOf(running), "message", "stop")
        for (const { id } of calls) yield* end(id)
        assert.deepEqual(started, [...expected])
        for (const id of expected) assert.strictEqual(contexts.get(id)?.signal?.reason, reason)
        assert.lengthOf(provider.requests, 1)
        const kept = yield* session.entries
        assert.deepEqual(
          kept.map((entry) => entry.message?.role),
          ["user", "assistant"]
        )
      }
    })
  )

  it.effect("T29: what was appended before the abort stays, and what comes later is not told", () =>
    Effect.gen(function* () {
      const { contexts, end, started, work } = held()
      const { events, session, start } = yield* opening({ tools: [work], turns: [calls] })
      const running = yield* start()
      yield* end("a")
      assert.deepEqual(started, ["a", "b"])
      const progress = (said: string) => Effect.promise(() => Promise.resolve(contexts.get("b")?.progress?.(said)))
      yield* progress("in time")
      yield* session.abort()
      yield* failureOf(running)
      yield* progress("late")
      yield* end("b")
      assert.deepEqual(
        events.flatMap((event) => ("progress" in event ? [event.progress] : [])),
        ["in time"]
      )
      assert.strictEqual(events.at(-1)?.type, "error")
      const kept = yield* session.entries
      assert.deepEqual(
        kept.map((entry) => entry.message?.role),
        ["user", "assistant", "tool"]
      )
    })
  )

  it.effect("T28, T7: a call denied inside a parallel batch has its error at its place; its siblings run", () =>
    Effect.gen(function* () {
      const { provider, start } = yield* opening({
        tools: [tool("work", (args) => args.id), tool("other")],
        turns: [[callOf("work", { id: 1 }, "a"), callOf("other", {}, "b"), callOf("gone", {}, "c"), ...calls.slice(3)]],
        settings: concurrent(4),
        permission: { check: ({ target }) => ({ allowed: target !== "other" }) }
      })
      yield* Fiber.join(yield* start())
      assert.deepEqual(answersIn(provider), [
        "a: 1",
        "b! Permission denied for tool:other:execute",
        "c! Unknown tool: gone",
        'd: "d"'
      ])
    })
  )

  it.effect("T42: permission and validation are asked when a call is claimed, not ahead for the batch", () =>
    Effect.gen(function* () {
      for (const [toolConcurrency, ahead] of [
        [1, ["permit a", 'validate "a"']],
        [2, ["permit a", 'validate "a"', "permit b", 'validate "b"']]
      ] as const) {
        const asked: Array<string> = []
        const { end, work } = held()
        const order = ["a", "b", "c", "d"]
        const { start } = yield* opening({
          tools: [work],
          turns: [calls],
          settings: {
            ...concurrent(toolConcurrency),
            validator: (_, args) => void asked.push(`validate ${JSON.stringify(args.id)}`)
          },
          permission: { check: () => (asked.push(`permit ${order.shift()}`), { allowed: true }) }
        })
        const running = yield* start()
        assert.deepEqual(asked, [...ahead])
        yield* end("a")
        assert.lengthOf(asked, ahead.length + 2)
        for (const { id } of calls) yield* end(id)
        yield* Fiber.join(running)
        assert.lengthOf(asked, 8)
      }
    })
  )

  it.effect("T26: an exclusive tool serialises its turn, and the next turn is parallel again", () =>
    Effect.gen(function* () {
      const running = { now: 0, peak: 0 }
      const counting = (name: string, exclusive: boolean) =>
        answering(
          name,
          Effect.gen(function* () {
            running.now += 1
            running.peak = Math.max(running.peak, running.now)
            yield* Effect.sleep(10)
            running.now -= 1
            return {}
          }),
          { exclusive }
        )
      const turnOf = (...names: ReadonlyArray<string>) => names.map((name, at) => callOf(name, {}, `${name}${at}`))
      for (const [turn, peak] of [
        [turnOf("work", "write", "work"), 1],
        [turnOf("work", "work", "work"), 3],
        [turnOf("work", "unknown", "work"), 2]
      ] as const) {
        running.peak = 0
        const { start } = yield* opening({
          tools: [counting("work", false), counting("write", true)],
          turns: [turn],
          settings: concurrent(8)
        })
        const fiber = yield* start()
        for (let step = 0; step < 4; step += 1) yield* pass(10)
        yield* Fiber.join(fiber)
        assert.strictEqual(running.peak, peak)
      }
      const seen: Array<number> = []
      const { start } = yield* opening({
        tools: [counting("work", false), counting("write", true)],
        turns: [turnOf("write", "work"), turnOf("work", "work")],
        settings: concurrent(8)
      })
      running.peak = 0
      const fiber = yield* start()
      for (let step = 0; step < 4; step += 1) {
        yield* pass(10)
        seen.push(running.peak)
      }
      yield* Fiber.join(fiber)
      assert.deepEqual(seen, [1, 2, 2, 2])
    })
  )

  it.effect("T36: a decision that says exclusive serialises nothing by itself", () =>
    Effect.gen(function* () {
      const { checkExecution } = yield* Effect.promise(() => import("../../src/security/Execution.ts"))
      const running = { now: 0, peak: 0 }
      const work: ToolDefinition = {
        name: "work",
        execute: async (_, { toolCallId }) => {
          running.now += 1
          running.peak = Math.max(running.peak, running.now)
          const action = { kind: "shell", operation: "run" }
          const decision = await checkExecution({ check: () => ({ allowed: true, exclusive: true }) }, action)
          running.now -= 1
          return { toolCallId, name: "work", value: decision.exclusive }
        }
      }
      const { provider, start } = yield* opening({ tools: [work], turns: [calls], settings: concurrent(4) })
      yield* Fiber.join(yield* start())
      assert.strictEqual(running.peak, 4)
      assert.deepEqual(answersIn(provider)[0], "a: true")
    })
  )

  it.effect("T20: the metadata of agent, session and run is merged for tools, later ones winning", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { start } = yield* opening({
        tools: [tool("work", (_, { metadata }) => void seen.push(metadata))],
        turns: [calls.slice(0, 1)],
        settings: { metadata: { a: "agent", b: "agent" } },
        permission: { check: ({ metadata }) => (seen.push(metadata), { allowed: true }) }
      })
      yield* Fiber.join(yield* start({ metadata: { b: "run" } }))
      assert.deepEqual(seen, [
        { a: "agent", b: "run" },
        { a: "agent", b: "run" }
      ])
    })
  )

  it.effect("P24: a ledger that refuses progress which no tool waited for fails the run", () =>
    Effect.gen(function* () {
      for (const refuse of [throwing(new Error("full")), () => Promise.reject(new Error("full"))]) {
        const { ledger } = recordingLedger((row) => (row.progress === "half" ? refuse() : undefined))
        const { provider, session, start } = yield* opening({
          tools: [tool("work", (_, context) => void context.progress?.("half"))],
          turns: [calls.slice(0, 1)],
          ledger
        })
        const error = yield* failureOf(yield* start())
        assert.propertyVal(error, "message", "Run ledger failed: full")
        assert.lengthOf(provider.requests, 1)
        assert.isUndefined((yield* session.entries)[2])
        assert.propertyVal(yield* session.run("again"), "status", "succeeded")
      }
    })
  )

  it.effect("P24: a call whose ledger fails rejects the batch, and its siblings are told by their signals", () =>
    Effect.gen(function* () {
      const { contexts, end, work } = held()
      const { ledger } = recordingLedger((row) => {
        if (row.toolCallId === "b" && row.status === "finished") throw new Error("full")
      })
      const { session, start } = yield* opening({ tools: [work], turns: [calls], settings: concurrent(4), ledger })
      const running = yield* start()
      yield* end("b")
      assert.propertyVal(yield* failureOf(running), "message", "Run ledger failed: full")
      for (const id of ["a", "c", "d"]) assert.isTrue(contexts.get(id)?.signal?.aborted)
      for (const id of ["a", "c", "d"]) yield* end(id)
      const kept = yield* session.entries
      assert.deepEqual(
        kept.map((entry) => entry.message?.role),
        ["user", "assistant"]
      )
    })
  )

  it.effect.prop(
    "T25, T27, T28: whatever calls take and however they end, each has one answer, in call order, never more than N at once",
    {
      plan: Schema.Array(
        Schema.Struct({
          ms: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 })),
          how: Schema.Literals(["value", "throw", "deny", "unknown", "timeout"])
        })
      ),
      toolConcurrency: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))
    },
    ({ plan, toolConcurrency }) =>
      Effect.gen(function* () {
        const running = { now: 0, peak: 0 }
        const work = ({ ms, how }: (typeof plan)[number]) =>
          Effect.gen(function* () {
            running.now += 1
            running.peak = Math.max(running.peak, running.now)
            yield* Effect.sleep(ms)
            if (how === "timeout") return yield* Effect.never
            if (how === "throw") return yield* Effect.fail(new Error("threw"))
            return untyped<ToolResult>({ value: "value" })
          }).pipe(Effect.ensuring(Effect.sync(() => void (running.now -= 1))))
        const tools = plan.flatMap((step, at) =>
          step.how === "unknown"
            ? []
            : [
                {
                  name: `t${at}`,
                  execute: () => work(step),
                  ...(step.how === "timeout" ? { timeoutMs: 15 } : undefined)
                }
              ]
        )
        const { provider, start } = yield* opening({
          tools,
          turns: plan.length === 0 ? [] : [plan.map((_, at) => callOf(`t${at}`, {}, `c${at}`))],
          settings: concurrent(toolConcurrency),
          permission: { check: ({ target }) => ({ allowed: plan[Number(target.slice(1))]?.how !== "deny" }) }
        })
        const fiber = yield* start()
        for (let tick = 0; fiber.pollUnsafe() === undefined && tick < 4000; tick += 1) yield* pass(1)
        assert.propertyVal(yield* Fiber.join(fiber), "status", "succeeded")
        const expected = plan.map(({ how }, at) => {
          if (how === "value") return `c${at}: "value"`
          if (how === "throw") return `c${at}! threw`
          if (how === "deny") return `c${at}! Permission denied for tool:t${at}:execute`
          if (how === "unknown") return `c${at}! Unknown tool: t${at}`
          return `c${at}! Tool t${at} timed out after 15 ms`
        })
        assert.deepEqual(answersIn(provider), expected)
        assert.isAtMost(running.peak, toolConcurrency)
        assert.strictEqual(running.now, 0)
      })
  )
})
