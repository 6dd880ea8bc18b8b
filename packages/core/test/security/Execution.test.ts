import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { ExecutionDeniedError } from "../../src/errors/ExecutionDeniedError.ts"
import type { ExecutionAction, ExecutionDecision, ExecutionPolicy } from "../../src/ports/Policies.ts"
import { assertExecutionAllowed, checkExecution, Execution, requireExecution } from "../../src/security/Execution.ts"

class Down extends Data.TaggedError("Down")<{ readonly message: string }> {}

const action: ExecutionAction = { kind: "shell", operation: "run", command: "ls", paths: ["/a"] }
const answering = (answer: unknown): ExecutionPolicy => ({ check: () => answer as ExecutionDecision })
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (error: unknown) => error
  )

describe("checkExecution", () => {
  it("T35: a policy that fails, or gives no decision, has refused", async () => {
    const failing: ExecutionPolicy = {
      check: () => {
        throw new Error("down")
      }
    }
    assert.deepEqual(await checkExecution(failing, action), { allowed: false, reason: "down" })
    assert.deepEqual(await checkExecution({ check: () => Effect.fail(new Down({ message: "down" })) }, action), {
      allowed: false,
      reason: "down"
    })
    const answers = [undefined, true, {}, { allowed: "yes" }]
    const decisions = await Promise.all(answers.map((answer) => checkExecution(answering(answer), action)))
    for (const decision of decisions)
      assert.deepEqual(decision, { allowed: false, reason: "Execution policy gave no decision" })
  })

  it("T32: no policy means allowed, else the decision is the policy's own", async () => {
    const decision = { allowed: true, exclusive: true }
    assert.deepEqual(await checkExecution(undefined, action), { allowed: true })
    assert.strictEqual(await checkExecution(answering(Promise.resolve(decision)), action), decision)
  })
})

describe("assertExecutionAllowed", () => {
  it("T35: a refusal rejects with action, decision and the reason as message", async () => {
    const decision = { allowed: false, reason: "not here", modified: { command: "true" } }
    const error = await rejection(assertExecutionAllowed(answering(decision), action))
    assert.instanceOf(error, ExecutionDeniedError)
    assert.deepInclude(error, {
      name: "ExecutionDeniedError",
      code: "ERR_PRISM_EXECUTION_DENIED",
      message: "not here"
    })
    assert.strictEqual(error.action, action)
    assert.strictEqual(error.decision, decision)
  })

  it("T35: without a reason the message is the documented one", async () => {
    const error = await rejection(assertExecutionAllowed(answering({ allowed: false }), action))
    assert.propertyVal(error, "message", "Execution denied for shell:run")
  })

  it("T35: an allowed action comes back unchanged", async () => {
    assert.strictEqual(await assertExecutionAllowed(undefined, action), action)
    assert.strictEqual(await assertExecutionAllowed(answering({ allowed: true }), action), action)
  })

  it("T35: what the policy modified is laid over the action, field by field", async () => {
    const modified = { command: "ls -l", paths: ["/b"] }
    const result = await assertExecutionAllowed(answering({ allowed: true, modified }), action)
    assert.deepEqual(result, { kind: "shell", operation: "run", command: "ls -l", paths: ["/b"] })
    assert.deepEqual(action, { kind: "shell", operation: "run", command: "ls", paths: ["/a"] })
  })
})

describe("requireExecution", () => {
  it.effect("T35: a refusal fails with the same error, also when the policy's Effect fails", () =>
    Effect.gen(function* () {
      const denied = yield* Effect.flip(requireExecution(answering({ allowed: false, reason: "not here" }), action))
      assert.instanceOf(denied, ExecutionDeniedError)
      assert.strictEqual(denied.message, "not here")
      const down = yield* Effect.flip(requireExecution(answering(Effect.fail(new Down({ message: "down" }))), action))
      assert.strictEqual(down.message, "down")
    })
  )

  it.effect("T35: an allowed action succeeds as the policy modified it", () =>
    Effect.gen(function* () {
      const policy = answering(Effect.succeed({ allowed: true, modified: { command: "true" } }))
      assert.deepEqual(yield* requireExecution(policy, action), { ...action, command: "true" })
      assert.strictEqual(yield* requireExecution(undefined, action), action)
    })
  )
})

describe("Execution", () => {
  it.effect("T34: a host of Effects provides the policy; by default there is none", () =>
    Effect.gen(function* () {
      const policy = answering({ allowed: true })
      assert.isUndefined(yield* Execution)
      assert.strictEqual(yield* Execution.pipe(Effect.provideService(Execution, policy)), policy)
      assert.strictEqual(Execution.key, "@arnilo/prism-core/security/Execution")
    })
  )
})
