import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import type { DispatchScope } from "../../../src/dispatch/DispatchScope.ts"
import { dispatchToolCall } from "../../../src/dispatch/dispatchToolCall.ts"
import { drivePromise } from "../../../src/ports/Steps.ts"
import type { ToolDefinition, ToolExecutionContext, ToolRegistry } from "../../../src/ports/ToolDefinition.ts"
import type { ToolResult } from "../../../src/schema/ToolResult.ts"
import { callOf, gate, scopeFor, settle, throwing, tool, typesOf, untyped, withContext } from "../dispatching.ts"

const TIMED_OUT = {
  name: "ToolTimeoutError",
  message: "Tool t timed out after 100 ms",
  code: "ERR_PRISM_TOOL_TIMEOUT"
}
const result: ToolResult = { toolCallId: "call-t", name: "t", value: "in time" }

/** A dispatch of one tool on the test's clock, which counts what it forks. */
const starting = (execute: ToolDefinition["execute"], more: Partial<ToolDefinition & DispatchScope> = {}) =>
  Effect.map(withContext, ({ fork }) => {
    const { timeoutMs, ...scopeOptions } = more
    const forked: Array<Fiber.Fiber<unknown, unknown>> = []
    const { scope, events } = scopeFor([{ name: "t", execute, timeoutMs }], {
      ...scopeOptions,
      fork: (effect) => {
        const fiber = fork(effect)
        forked.push(fiber)
        return fiber
      }
    })
    let outcome: ToolResult | undefined
    void drivePromise(dispatchToolCall(scope, callOf("t")), scope).then((ended) => (outcome = ended))
    return {
      events,
      settled: () => outcome,
      running: () => forked.filter((fiber) => fiber.pollUnsafe() === undefined).length
    }
  })
const pass = (milliseconds: number) => Effect.andThen(TestClock.adjust(milliseconds), Effect.promise(settle))

describe("deadline", () => {
  it.effect("T41: a Promise tool that ignores its signal is not waited for; what it answers later is dropped", () =>
    Effect.gen(function* () {
      const answer = gate<ToolResult>()
      const { events, settled, running } = yield* starting(() => answer.promise, { timeoutMs: 100 })
      yield* pass(99)
      assert.isUndefined(settled())
      yield* pass(1)
      assert.deepEqual(settled(), { toolCallId: "call-t", name: "t", error: TIMED_OUT })
      answer.resolve(result)
      yield* pass(1000)
      assert.deepEqual(typesOf(events), ["tool_execution_started", "tool_execution_error"])
      assert.deepInclude(events[1], { call: callOf("t"), error: TIMED_OUT })
      assert.strictEqual(running(), 0)
    })
  )

  it.effect("T41: a late rejection is dropped too, and no unhandled rejection", () =>
    Effect.gen(function* () {
      const answer = gate<ToolResult>()
      const { events, settled } = yield* starting(() => answer.promise, { timeoutMs: 100 })
      yield* pass(100)
      answer.reject(new Error("late"))
      yield* pass(1)
      assert.deepEqual(settled()?.error, TIMED_OUT)
      assert.strictEqual(events.length, 2)
    })
  )

  it.effect("T41: the signal aborts at the deadline with the error as its reason", () =>
    Effect.gen(function* () {
      const contexts: Array<ToolExecutionContext> = []
      yield* starting((_, context) => (contexts.push(context), new Promise(() => undefined)), { timeoutMs: 100 })
      const signal = contexts[0]?.signal
      yield* pass(99)
      assert.isFalse(signal?.aborted)
      yield* pass(1)
      assert.isTrue(signal?.aborted)
      assert.deepInclude(signal?.reason, { code: "ERR_PRISM_TOOL_TIMEOUT", message: "Tool t timed out after 100 ms" })
    })
  )

  it.effect("T41: a tool that answers to its signal at once has timed out all the same, whatever its form", () =>
    Effect.gen(function* () {
      const prompt: ReadonlyArray<ToolDefinition["execute"]> = [
        (_, { signal }) => new Promise((__, reject) => signal?.addEventListener("abort", () => reject("own error"))),
        (_, { signal }) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve(result))),
        (_, { signal }) =>
          untyped<Promise<ToolResult>>({
            then: (__: unknown, reject: (error: unknown) => void) =>
              signal?.addEventListener("abort", () => reject(new Error("own error")))
          }),
        (_, { signal }) =>
          Effect.callback((resume) => {
            signal?.addEventListener("abort", () => resume(Effect.fail("own error")))
          }),
        (_, { signal }) =>
          Effect.callback((resume) => {
            signal?.addEventListener("abort", () => resume(Effect.succeed(result)))
          })
      ]
      for (const execute of prompt) {
        const { settled, running } = yield* starting(execute, { timeoutMs: 100 })
        yield* pass(100)
        assert.deepEqual(settled()?.error, TIMED_OUT)
        assert.strictEqual(running(), 0)
      }
    })
  )

  it.effect("T41: an Effect tool is interrupted and its finalizer runs, but the call does not wait for that", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const { settled, running } = yield* starting(
        () =>
          Effect.never.pipe(
            Effect.onInterrupt(() =>
              Effect.andThen(
                Effect.sleep(50),
                Effect.sync(() => void log.push("released"))
              )
            )
          ),
        { timeoutMs: 100 }
      )
      yield* pass(100)
      assert.deepEqual(settled()?.error, TIMED_OUT)
      assert.deepEqual(log, [])
      assert.strictEqual(running(), 1)
      yield* pass(50)
      assert.deepEqual(log, ["released"])
      assert.strictEqual(running(), 0)
    })
  )

  it.effect("T41: an Effect tool that cannot be interrupted is not waited for either", () =>
    Effect.gen(function* () {
      const work = Effect.uninterruptible(Effect.as(Effect.sleep(500), result))
      const { events, settled } = yield* starting(() => work, { timeoutMs: 100 })
      yield* pass(100)
      assert.deepEqual(settled()?.error, TIMED_OUT)
      yield* pass(500)
      assert.strictEqual(events.length, 2)
    })
  )

  it.effect("T41: progress after the deadline is dropped, also while the signal aborts", () =>
    Effect.gen(function* () {
      const contexts: Array<ToolExecutionContext> = []
      const { events } = yield* starting(
        (_, context) => {
          contexts.push(context)
          context.signal?.addEventListener("abort", () => void context.progress?.("at the deadline"))
          void context.progress?.("in time")
          return new Promise(() => undefined)
        },
        { timeoutMs: 100 }
      )
      yield* pass(100)
      yield* Effect.promise(() => Promise.resolve(contexts[0]?.progress?.("late")))
      assert.deepEqual(typesOf(events), ["tool_execution_started", "tool_execution_progress", "tool_execution_error"])
    })
  )

  it.effect("T41: waits inside the tool are included; progress does not extend the deadline", () =>
    Effect.gen(function* () {
      const { settled } = yield* starting(
        (_, context) =>
          Effect.gen(function* () {
            for (let step = 0; step < 3; step += 1) {
              yield* Effect.sleep(40)
              void context.progress?.(step)
            }
            return result
          }),
        { timeoutMs: 100 }
      )
      yield* pass(100)
      assert.deepEqual(settled()?.error, TIMED_OUT)
    })
  )

  it.effect("T41: gates and listeners are not included: the clock starts with the tool", () =>
    Effect.gen(function* () {
      const slow = Effect.sleep(1000)
      const { settled } = yield* starting(() => Effect.as(Effect.sleep(99), result), {
        timeoutMs: 100,
        permission: { check: () => Effect.as(slow, { allowed: true }) },
        validate: () => slow
      })
      yield* pass(1000)
      yield* pass(1000)
      yield* pass(99)
      assert.deepEqual(settled(), result)
    })
  )

  it.effect("T41: the smaller one of tool and run counts", () =>
    Effect.gen(function* () {
      for (const [timeoutMs, toolTimeoutMs] of [
        [100, undefined],
        [undefined, 100],
        [100, 200],
        [200, 100]
      ] as const) {
        const { settled } = yield* starting(() => new Promise(() => undefined), { timeoutMs, toolTimeoutMs })
        yield* pass(99)
        assert.isUndefined(settled())
        yield* pass(1)
        assert.deepEqual(settled()?.error, TIMED_OUT)
      }
    })
  )

  it.effect("T41: without a deadline a tool may take any time", () =>
    Effect.gen(function* () {
      const { settled } = yield* starting(() => Effect.as(Effect.sleep("300 days"), result))
      yield* TestClock.adjust("300 days")
      yield* pass(0)
      assert.deepEqual(settled(), result)
    })
  )

  it.effect("T41: a tool that is in time has its result, and leaves neither clock nor listener behind", () =>
    Effect.gen(function* () {
      const controller = new AbortController()
      const listeners = { added: 0, removed: 0 }
      const signal: AbortSignal = Object.assign(controller.signal, {
        addEventListener: () => void (listeners.added += 1),
        removeEventListener: () => void (listeners.removed += 1)
      })
      for (const execute of [
        () => result,
        () => Promise.resolve(result),
        () => Effect.as(Effect.sleep(99), result),
        throwing(new Error("bad")),
        () => Promise.reject(new Error("bad")),
        () => Effect.fail(new Error("bad"))
      ]) {
        const { settled, running } = yield* starting(execute, { timeoutMs: 100, signal })
        yield* pass(99)
        assert.isDefined(settled())
        assert.isUndefined(settled()?.error?.code)
        assert.strictEqual(running(), 0)
      }
      assert.deepEqual(listeners, { added: 6, removed: 6 })
    })
  )

  it.effect("T20: the signal of a call with a deadline aborts with the run and its reason", () =>
    Effect.gen(function* () {
      const controller = new AbortController()
      const reason = new Error("run aborted")
      const contexts: Array<ToolExecutionContext> = []
      const { settled } = yield* starting(
        (_, context) => {
          contexts.push(context)
          return Effect.never
        },
        { timeoutMs: 100, signal: controller.signal }
      )
      controller.abort(reason)
      yield* pass(0)
      assert.strictEqual(contexts[0]?.signal?.reason, reason)
      assert.strictEqual(settled()?.error?.message, "run aborted")
    })
  )

  it.effect("T41: an Effect tool that interrupts itself has failed and not timed out", () =>
    Effect.gen(function* () {
      const { settled } = yield* starting(() => Effect.interrupt, { timeoutMs: 100 })
      yield* pass(0)
      assert.strictEqual(settled()?.error?.message, "All fibers interrupted without error")
    })
  )

  it.effect("T41: a tool with an impossible deadline, in a registry that let it in, fails and does not run", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      for (const timeoutMs of [0, -1, 1.5, Number.NaN, Infinity, 2_147_483_648, untyped<number>("100")]) {
        const registry = untyped<ToolRegistry>({ get: () => ({ ...tool("t", () => ran.push("t")), timeoutMs }) })
        const { settled } = yield* starting(() => result, { registry })
        yield* pass(0)
        assert.include(settled()?.error?.message, "timeoutMs must be a positive safe integer at most 2147483647")
      }
      assert.deepEqual(ran, [])
    })
  )

  it.effect("T41: a clock that strikes before the tool has answered at all ends the call", () =>
    Effect.gen(function* () {
      let strike = (): void => undefined
      const ran: Array<string> = []
      const { fork } = yield* withContext
      const dispatchOn = (sleep: () => Fiber.Fiber<void>, answer: () => unknown) => {
        const clocks = [sleep]
        const { scope } = scopeFor([{ name: "t", timeoutMs: 100, execute: () => untyped(answer()) }], {
          fork: (effect) => untyped(clocks.pop()?.() ?? fork(effect))
        })
        return Effect.promise(() => drivePromise(dispatchToolCall(scope, callOf("t")), scope))
      }
      const struck = yield* dispatchOn(
        () => Effect.runFork(Effect.void),
        () => ran.push("t")
      )
      assert.deepEqual(struck.error, TIMED_OUT)
      assert.deepEqual(ran, [])
      const handset = () => Effect.runFork(Effect.callback<void>((resume) => void (strike = () => resume(Effect.void))))
      for (const answer of [Effect.never, new Promise(() => undefined), Promise.reject(new Error("dropped"))]) {
        const during = yield* dispatchOn(handset, () => (strike(), answer))
        assert.deepEqual(during.error, TIMED_OUT)
      }
    })
  )
})
