import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { PermissionDeniedError } from "../../src/errors/PermissionDeniedError.ts"
import type { PermissionDecision, PermissionPolicy, PermissionRequest } from "../../src/ports/Policies.ts"
import {
  assertPermission,
  checkPermission,
  createStaticPermissionPolicy,
  Permission,
  permissionKey,
  permissionSteps
} from "../../src/security/Permission.ts"

class Down extends Data.TaggedError("Down")<{ readonly message: string }> {}

const request: PermissionRequest = { kind: "tool", action: "execute", target: "shell" }

/** A policy that answers with whatever a host may wrongly hand over. */
const answering = (answer: unknown): PermissionPolicy => ({ check: () => answer as PermissionDecision })

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (error: unknown) => error
  )

describe("checkPermission", () => {
  it("T11: a policy that throws, rejects or fails has refused, with the error's message as the reason", async () => {
    const policies: ReadonlyArray<PermissionPolicy> = [
      {
        check: () => {
          throw new Error("down")
        }
      },
      { check: () => Promise.reject(new Error("down")) },
      { check: () => Effect.fail(new Down({ message: "down" })) },
      { check: () => Effect.die(new Error("down")) }
    ]
    const decisions = await Promise.all(policies.map((policy) => checkPermission(policy, request)))
    for (const decision of decisions) assert.deepEqual(decision, { allowed: false, reason: "down" })
  })

  it("T11: anything but a decision is a refusal", async () => {
    const answers = [undefined, null, true, "yes", {}, { allowed: "true" }, { allowed: 1 }, Promise.resolve(undefined)]
    const decisions = await Promise.all(answers.map((answer) => checkPermission(answering(answer), request)))
    for (const decision of decisions)
      assert.deepEqual(decision, { allowed: false, reason: "Permission policy gave no decision" })
  })

  it("T32: no policy means allowed", async () => {
    assert.deepEqual(await checkPermission(undefined, request), { allowed: true })
  })

  it("T32: the decision is the policy's own, whether it answers at once, later or with an Effect", async () => {
    const decision = { allowed: true, reason: "fine", metadata: { by: "host" } }
    const answers = [decision, Promise.resolve(decision), Effect.succeed(decision)]
    const decisions = await Promise.all(answers.map((answer) => checkPermission(answering(answer), request)))
    assert.sameOrderedMembers<unknown>(decisions, [decision, decision, decision])
  })

  it("T11: the policy gets the request as it is, once", async () => {
    const seen: Array<PermissionRequest> = []
    await checkPermission({ check: (asked) => (seen.push(asked), { allowed: true }) }, request)
    assert.strictEqual(seen.length, 1)
    assert.strictEqual(seen[0], request)
  })
})

describe("permissionSteps", () => {
  it("T11: a policy that answers at once makes nothing wait", () => {
    const step = permissionSteps(createStaticPermissionPolicy(true), request).next()
    assert.deepEqual(step, { done: true, value: { allowed: true } })
  })
})

describe("assertPermission", () => {
  it("T32: a refusal rejects with request and decision", async () => {
    const decision = { allowed: false, reason: "not today" }
    const error = await rejection(assertPermission(answering(decision), request))
    assert.instanceOf(error, PermissionDeniedError)
    assert.instanceOf(error, Error)
    assert.deepInclude(error, {
      name: "PermissionDeniedError",
      code: "ERR_PRISM_PERMISSION_DENIED",
      message: "not today"
    })
    assert.strictEqual(error.request, request)
    assert.strictEqual(error.decision, decision)
  })

  it("T12: without a reason the message is the documented one", async () => {
    const decisions = [{ allowed: false }, { allowed: false, reason: "" }]
    const errors = await Promise.all(
      decisions.map((decision) => rejection(assertPermission(answering(decision), request)))
    )
    for (const error of errors) assert.propertyVal(error, "message", "Permission denied for tool:shell:execute")
  })

  it("T32: it passes without a policy and when the policy allows", async () => {
    assert.strictEqual(await rejection(assertPermission(undefined, request)), "resolved")
    assert.strictEqual(await rejection(assertPermission(answering({ allowed: true }), request)), "resolved")
  })
})

/** Whether a tool whose name holds colons may run. */
const permissionOf = (policy: ReturnType<typeof createStaticPermissionPolicy>): unknown => {
  const decision = policy.check({ kind: "tool", action: "execute", target: "mcp:files:read" })
  return "allowed" in decision && decision.allowed
}

const check = (rules: Parameters<typeof createStaticPermissionPolicy>[0]) =>
  createStaticPermissionPolicy(rules).check(request)

describe("createStaticPermissionPolicy", () => {
  it("T33: deny beats allow", () => {
    const rules = { allow: ["tool:shell:execute"], deny: ["tool:shell:execute"] }
    assert.deepEqual(check(rules), { allowed: false, reason: "Permission denied: tool:shell:execute" })
    assert.deepEqual(check(false), { allowed: false, reason: "Permission denied: tool:shell:execute" })
  })

  it("T33: an allow list with entries refuses all others, by exact key", () => {
    for (const key of ["tool:shell", "tool:shell:", "tool:shell:execute ", "tool:*:execute", "TOOL:shell:execute"]) {
      const decision = check({ allow: [key] })
      assert.deepEqual(decision, { allowed: false, reason: "Permission not allowed: tool:shell:execute" })
    }
  })

  it("T33: a missing or empty allow list allows all that is not denied", () => {
    for (const rules of [
      {},
      { allow: [] },
      { allow: ["tool:shell:execute"] },
      { deny: ["tool:other:execute"] },
      true
    ]) {
      assert.deepEqual(check(rules), { allowed: true })
    }
  })

  it("T33: refuses to deny what is no key, for it would deny nothing", () => {
    for (const key of ["shell", "tool:shell", "tool:shell:", ":shell:execute"]) {
      assert.throws(
        () => createStaticPermissionPolicy({ deny: [key] }),
        TypeError,
        `deny must hold keys of the form kind:target:action, not ${key}`
      )
    }
    assert.isFalse(permissionOf(createStaticPermissionPolicy({ deny: ["tool:mcp:files:read:execute"] })))
  })

  it("T33: the lists are read once", () => {
    const deny: Array<string> = []
    const policy = createStaticPermissionPolicy({ deny })
    deny.push("tool:shell:execute")
    assert.deepEqual(policy.check(request), { allowed: true })
  })

  it("T33: a key is kind, target and action", () => {
    assert.strictEqual(permissionKey({ kind: "a", action: "b", target: "c" }), "a:c:b")
  })
})

describe("Permission", () => {
  it.effect("T32: a host of Effects provides the policy; by default there is none", () =>
    Effect.gen(function* () {
      const policy = createStaticPermissionPolicy(false)
      assert.isUndefined(yield* Permission)
      assert.strictEqual(yield* Permission.pipe(Effect.provideService(Permission, policy)), policy)
      assert.strictEqual(Permission.key, "@arnilo/prism-core/security/Permission")
      assert.isUndefined(Context.get(Context.empty(), Permission))
    })
  )
})
