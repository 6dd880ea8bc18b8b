import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { ApprovalGate, type AskOptions } from "../../src/approval/ApprovalGate.ts"
import { LimitError } from "../../src/errors/LimitError.ts"
import type { ApprovalDecision, ApprovalPrompt, ApprovalRequest } from "../../src/ports/Approval.ts"
import type { HostValue } from "../../src/ports/HostValue.ts"
import { gate, throwing, untyped } from "../dispatch/dispatching.ts"

const request: ApprovalRequest = { title: "Delete everything", detail: "rm -rf /", metadata: { cwd: "/" } }

/** A prompt that keeps its signal. */
const prompting = (answer: (signal: AbortSignal) => unknown) => {
  const signals: Array<AbortSignal> = []
  const prompt: ApprovalPrompt = (_, { signal }) => {
    signals.push(signal)
    return untyped<HostValue<boolean>>(answer(signal))
  }
  return { prompt, signals }
}
const asking = (prompt: ApprovalPrompt, options?: AskOptions, approvalTimeoutMs?: number) =>
  Effect.forkChild(ApprovalGate.make({ prompt, approvalTimeoutMs }).ask(request, options), { startImmediately: true })
const asked = (answer: unknown) => ApprovalGate.make(prompting(() => answer)).ask(request)

describe("ApprovalGate.make", () => {
  it("a wait that is no positive safe integer up to the longest timer throws; 0 does not mean for ever", () => {
    for (const approvalTimeoutMs of [0, -1, 1.5, Number.NaN, Infinity, 2_147_483_648, untyped<number>(null)]) {
      assert.throws(
        () => ApprovalGate.make({ prompt: () => true, approvalTimeoutMs }),
        LimitError,
        "approvalTimeoutMs must be a positive safe integer at most 2147483647"
      )
    }
  })
})

describe("ApprovalGate.ask", () => {
  it.effect("no answer within 30 seconds is a refusal, and withdraws the question with the reason", () =>
    Effect.gen(function* () {
      const { prompt, signals } = prompting(() => new Promise(() => undefined))
      const fiber = yield* asking(prompt)
      yield* TestClock.adjust(29_999)
      assert.isUndefined(fiber.pollUnsafe())
      assert.isFalse(signals[0]?.aborted)
      yield* TestClock.adjust(1)
      assert.deepEqual(yield* Fiber.join(fiber), { approved: false, reason: "Approval timed out after 30000 ms" })
      assert.isTrue(signals[0]?.aborted)
      assert.instanceOf(signals[0]?.reason, Error)
      assert.propertyVal(signals[0]?.reason, "message", "Approval timed out after 30000 ms")
    })
  )

  it.effect("the wait is as long as it was set", () =>
    Effect.gen(function* () {
      const fiber = yield* asking(() => Effect.never, undefined, 5)
      yield* TestClock.adjust(4)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepEqual(yield* Fiber.join(fiber), { approved: false, reason: "Approval timed out after 5 ms" })
    })
  )

  it.effect("neither a prompt that cannot be interrupted nor its finalizers prolong the wait", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const stubborn = Effect.uninterruptible(Effect.as(Effect.sleep("1 hour"), true))
      const slow = Effect.never.pipe(
        Effect.onInterrupt(() =>
          Effect.andThen(
            Effect.sleep("1 hour"),
            Effect.sync(() => void log.push("closed"))
          )
        )
      )
      for (const answer of [stubborn, slow]) {
        const fiber = yield* asking(() => answer)
        yield* TestClock.adjust("30 seconds")
        assert.deepEqual(fiber.pollUnsafe()?._tag, "Success")
        assert.propertyVal(yield* Fiber.join(fiber), "approved", false)
        const interrupted = yield* asking(() => answer)
        yield* Fiber.interrupt(interrupted)
      }
      yield* TestClock.adjust("1 hour")
      assert.deepEqual(log, ["closed", "closed"])
    })
  )

  it.effect("an answer that comes late is ignored, whatever it is, and a late rejection is handled", () =>
    Effect.gen(function* () {
      for (const late of ["approve", "fail"] as const) {
        const answer = gate<boolean>()
        const fiber = yield* asking(() => answer.promise)
        yield* TestClock.adjust("30 seconds")
        if (late === "approve") answer.resolve(true)
        else answer.reject(new Error("late"))
        yield* TestClock.adjust("30 seconds")
        assert.propertyVal(yield* Fiber.join(fiber), "approved", false)
      }
    })
  )

  it.effect("a signal that aborts is a refusal, and its reason is why the question was withdrawn", () =>
    Effect.gen(function* () {
      const controller = new AbortController()
      const { prompt, signals } = prompting(() => new Promise(() => undefined))
      const fiber = yield* asking(prompt, { signal: controller.signal })
      controller.abort("run is over")
      assert.deepEqual(yield* Fiber.join(fiber), { approved: false, reason: "Approval aborted" })
      assert.strictEqual(signals[0]?.reason, "run is over")
    })
  )

  it.effect("with a signal that is aborted beforehand nobody is asked", () =>
    Effect.gen(function* () {
      const { prompt, signals } = prompting(() => true)
      const decision = yield* ApprovalGate.make({ prompt }).ask(request, { signal: AbortSignal.abort() })
      assert.deepEqual(decision, { approved: false, reason: "Approval aborted" })
      assert.deepEqual(signals, [])
    })
  )

  it.effect("interruption ends the wait, withdraws the question and interrupts a prompt that is an Effect", () =>
    Effect.gen(function* () {
      let interrupted = false
      const endless = Effect.never.pipe(Effect.onInterrupt(() => Effect.sync(() => void (interrupted = true))))
      const { prompt, signals } = prompting(() => endless)
      const fiber = yield* asking(prompt)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(interrupted)
      assert.propertyVal(signals[0]?.reason, "message", "Approval aborted")
    })
  )

  it.effect("a prompt that throws, rejects, fails or dies is a refusal that says so", () =>
    Effect.gen(function* () {
      const failures: ReadonlyArray<ApprovalPrompt> = [
        throwing(new Error("no terminal")),
        () => Promise.reject(new Error("no terminal")),
        () => Effect.fail(new Error("no terminal")),
        () => Effect.die(new Error("no terminal")),
        () => untyped({ then: throwing(new Error("no terminal")) })
      ]
      for (const prompt of failures) {
        const decision = yield* ApprovalGate.make({ prompt }).ask(request)
        assert.deepEqual(decision, { approved: false, reason: "Approval failed: no terminal" })
      }
    })
  )

  it.effect("it never fails, even by an error without text or a prompt that interrupts itself", () =>
    Effect.gen(function* () {
      const decisions = yield* Effect.all([
        ApprovalGate.make({ prompt: throwing(Object.create(null)) }).ask(request),
        ApprovalGate.make({ prompt: throwing(undefined) }).ask(request),
        ApprovalGate.make({ prompt: () => Effect.interrupt }).ask(request)
      ])
      assert.deepEqual(
        decisions.map(({ reason }) => reason),
        [
          "Approval failed: [Unreadable]",
          "Approval failed: undefined",
          "Approval failed: All fibers interrupted without error"
        ]
      )
      for (const { approved } of decisions) assert.isFalse(approved)
    })
  )

  it.effect("whatever is no plain yes is a no", () =>
    Effect.gen(function* () {
      const garbage = [undefined, null, false, 1, "yes", "true", [], [true], () => true, {}, { approved: 1 }]
      for (const answer of [...garbage, { approved: "true" }, { approved: false }, { approved: false, reason: 7 }]) {
        for (const given of [answer, Promise.resolve(answer), Effect.succeed(answer)]) {
          assert.deepEqual(yield* asked(given), { approved: false, reason: "Approval denied" })
        }
      }
      assert.deepEqual(yield* asked({ approved: false, reason: "not today" }), { approved: false, reason: "not today" })
      const trap = Object.defineProperty({}, "approved", { get: throwing(new Error("trap")) })
      assert.deepEqual(yield* asked(trap), { approved: false, reason: "Approval failed: trap" })
    })
  )

  it.effect("a yes is a yes in any form, and does not abort the prompt's signal", () =>
    Effect.gen(function* () {
      const yes: ApprovalDecision = { approved: true }
      const reasoned: ApprovalDecision = { approved: true, reason: "seen" }
      for (const answer of [true, Promise.resolve(true), Effect.succeed(true), yes, Promise.resolve(yes)]) {
        const { prompt, signals } = prompting(() => answer)
        assert.deepEqual(yield* ApprovalGate.make({ prompt }).ask(request), { approved: true })
        assert.isFalse(signals[0]?.aborted)
      }
      assert.deepEqual(yield* asked(reasoned), reasoned)
      assert.deepEqual(yield* asked({ approved: true, reason: 7, extra: 1 }), { approved: true })
    })
  )

  it.effect("the prompt gets the request itself, and its Effect the caller's services", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const Terminal = Context.Reference<string>("test/Terminal", { defaultValue: () => "none" })
      const approvals = ApprovalGate.make({
        prompt: (given) => {
          seen.push(given)
          return Effect.map(Terminal, (terminal) => terminal === "tty")
        }
      })
      assert.propertyVal(yield* approvals.ask(request), "approved", false)
      assert.propertyVal(yield* approvals.ask(request).pipe(Effect.provideService(Terminal, "tty")), "approved", true)
      assert.strictEqual(seen[0], request)
    })
  )

  it.effect("an answer in time leaves nothing behind at the caller's signal", () =>
    Effect.gen(function* () {
      const listeners = { added: 0, removed: 0 }
      const signal: AbortSignal = Object.assign(new AbortController().signal, {
        addEventListener: () => void (listeners.added += 1),
        removeEventListener: () => void (listeners.removed += 1)
      })
      const answer = gate<boolean>()
      const fiber = yield* asking(() => answer.promise, { signal })
      answer.resolve(true)
      assert.propertyVal(yield* Fiber.join(fiber), "approved", true)
      assert.deepEqual(listeners, { added: 1, removed: 1 })
    })
  )

  it.effect("the layer provides the gate", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalGate
      assert.propertyVal(yield* approvals.ask(request), "approved", true)
      assert.strictEqual(ApprovalGate.key, "@arnilo/prism-core/approval/ApprovalGate")
    }).pipe(Effect.provide(ApprovalGate.layer({ prompt: () => true })))
  )
})
