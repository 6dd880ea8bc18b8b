import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { ApprovalGate } from "../../src/approval/ApprovalGate.ts"
import { layerDefaults } from "../../src/layer.ts"
import type { ApprovalPrompt, ApprovalRequest } from "../../src/ports/Approval.ts"
import type { ExecutionAction, ExecutionPolicy } from "../../src/ports/Policies.ts"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import {
  providerDone,
  providerTextDelta,
  providerToolCall,
  toolCallContent
} from "../../src/provider/providerEvents.ts"
import { Provider } from "../../src/provider/Provider.ts"
import { requireExecution } from "../../src/security/Execution.ts"
import { AgentSession } from "../../src/session/AgentSession.ts"
import { createScriptedProvider } from "../../src/testing/ScriptedProvider.ts"
import { Tools } from "../../src/tool/Tools.ts"
import { gate, settle, untyped } from "../dispatch/dispatching.ts"

/** Lets the model ask for one deletion, answered through a gate that asks `prompt`. */
const opening = (prompt: ApprovalPrompt, more: Partial<ToolDefinition> = {}) => {
  const deleted: Array<string> = []
  const questions: Array<ApprovalRequest> = []
  const signals: Array<AbortSignal> = []
  const approvals = ApprovalGate.make({
    prompt: (request, context) => {
      questions.push(request)
      signals.push(context.signal)
      return prompt(request, context)
    }
  })
  const policy: ExecutionPolicy = {
    check: ({ command, operation }) =>
      Effect.map(approvals.ask({ title: `${operation}: ${command}` }), ({ approved, reason }) => ({
        allowed: approved,
        reason
      }))
  }
  const shell: ToolDefinition = {
    name: "shell",
    execute: (args, { toolCallId }) => {
      const action: ExecutionAction = { kind: "shell", operation: "run", command: untyped<string>(args.command) }
      return Effect.map(requireExecution(policy, action), ({ command }) => {
        deleted.push(String(command))
        return { toolCallId, name: "shell", value: "done" }
      })
    },
    ...more
  }
  const provider = createScriptedProvider([
    [providerToolCall(toolCallContent("c1", "shell", { command: "rm a" })), providerDone()],
    [providerTextDelta("ok"), providerDone()]
  ])
  const services = Layer.mergeAll(layerDefaults, Tools.layer([shell]), Provider.layer(provider))
  const session = AgentSession.make({ model: { provider: "mock", model: "m" } }).pipe(Effect.provide(services))
  return { deleted, provider, questions, session, signals }
}
const flush = Effect.promise(settle)

describe("an execution policy that asks a person, in a run", () => {
  it.effect("T34: unanswered for 30 seconds, nothing is run, the model is told why and the run goes on", () =>
    Effect.gen(function* () {
      const { deleted, provider, session: open, signals } = opening(() => new Promise(() => undefined))
      const session = yield* open
      const running = yield* Effect.forkChild(session.run("clean up"), { startImmediately: true })
      yield* flush
      yield* TestClock.adjust("29 seconds")
      yield* flush
      assert.isUndefined(running.pollUnsafe())
      yield* TestClock.adjust("1 second")
      yield* flush
      const result = yield* Fiber.join(running)
      assert.deepInclude(result, { status: "succeeded", text: "ok" })
      assert.deepEqual(deleted, [])
      assert.propertyVal(signals[0]?.reason, "message", "Approval timed out after 30000 ms")
      const [told] = provider.requests[1]?.messages.at(-1)?.content ?? []
      assert.deepEqual(told, {
        type: "tool_result",
        toolCallId: "c1",
        name: "shell",
        error: {
          name: "ExecutionDeniedError",
          message: "Approval timed out after 30000 ms",
          code: "ERR_PRISM_EXECUTION_DENIED"
        }
      })
    })
  )

  it.effect("T34: an abort of the session withdraws the question; a later yes runs nothing", () =>
    Effect.gen(function* () {
      const answer = gate<boolean>()
      const { deleted, provider, session: open, signals } = opening(() => answer.promise)
      const session = yield* open
      const running = yield* Effect.forkChild(Effect.flip(session.run("clean up")), { startImmediately: true })
      yield* flush
      assert.isFalse(signals[0]?.aborted)
      yield* session.abort(new Error("user left"))
      const error = yield* Fiber.join(running)
      assert.propertyVal(error, "message", "user left")
      assert.isTrue(signals[0]?.aborted)
      assert.instanceOf(signals[0]?.reason, Error)
      answer.resolve(true)
      yield* flush
      yield* TestClock.adjust("1 minute")
      assert.deepEqual(deleted, [])
      assert.lengthOf(provider.requests, 1)
    })
  )

  it.effect("T34: interruption of the run withdraws the question and interrupts a prompt that is an Effect", () =>
    Effect.gen(function* () {
      let closed = false
      const {
        deleted,
        session: open,
        signals
      } = opening(() => Effect.never.pipe(Effect.onInterrupt(() => Effect.sync(() => void (closed = true)))))
      const session = yield* open
      const running = yield* Effect.forkChild(session.run("clean up"), { startImmediately: true })
      yield* flush
      yield* Fiber.interrupt(running)
      assert.isTrue(closed)
      assert.isTrue(signals[0]?.aborted)
      assert.deepEqual(deleted, [])
    })
  )

  it.effect("T41: the wait for a person counts towards the tool's deadline, which withdraws the question", () =>
    Effect.gen(function* () {
      const { deleted, session: open, signals } = opening(() => new Promise(() => undefined), { timeoutMs: 10_000 })
      const session = yield* open
      const running = yield* Effect.forkChild(session.run("clean up"), { startImmediately: true })
      yield* flush
      yield* TestClock.adjust("10 seconds")
      yield* flush
      assert.propertyVal(yield* Fiber.join(running), "status", "succeeded")
      assert.isTrue(signals[0]?.aborted)
      assert.deepEqual(deleted, [])
    })
  )

  it.effect("T34: approved, the action is run once, and the run goes on with its result", () =>
    Effect.gen(function* () {
      const {
        deleted,
        provider,
        questions,
        session: open,
        signals
      } = opening(() => Effect.as(Effect.sleep("20 seconds"), true))
      const session = yield* open
      const running = yield* Effect.forkChild(session.run("clean up"), { startImmediately: true })
      yield* flush
      assert.deepEqual(questions, [{ title: "run: rm a" }])
      assert.deepEqual(deleted, [])
      yield* TestClock.adjust("20 seconds")
      yield* flush
      assert.deepInclude(yield* Fiber.join(running), { status: "succeeded", text: "ok" })
      assert.deepEqual(deleted, ["rm a"])
      assert.isFalse(signals[0]?.aborted)
      assert.deepEqual(provider.requests[1]?.messages.at(-1)?.content[0], {
        type: "tool_result",
        toolCallId: "c1",
        name: "shell",
        result: "done"
      })
      yield* TestClock.adjust("1 hour")
      assert.deepEqual(deleted, ["rm a"])
    })
  )
})
