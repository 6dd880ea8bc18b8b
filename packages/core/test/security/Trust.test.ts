import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TrustDeniedError } from "../../src/errors/TrustDeniedError.ts"
import type { TrustDecision, TrustPolicy, TrustRequest } from "../../src/ports/Policies.ts"
import { assertTrusted, createStaticTrustPolicy, isTrusted, Trust, trustSteps } from "../../src/security/Trust.ts"

const request: TrustRequest = { kind: "project", target: "/work" }
const answering = (answer: unknown): TrustPolicy => ({ check: () => answer as TrustDecision })
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (error: unknown) => error
  )

describe("isTrusted", () => {
  it("T32: a policy that fails, or gives no decision, does not trust", async () => {
    const failing: TrustPolicy = {
      check: () => {
        throw new Error("down")
      }
    }
    assert.isFalse(await isTrusted(failing, request))
    assert.isFalse(await isTrusted({ check: () => Promise.reject(new Error("down")) }, request))
    const answers = [undefined, true, {}, { trusted: "yes" }]
    const verdicts = await Promise.all(answers.map((answer) => isTrusted(answering(answer), request)))
    assert.deepEqual(verdicts, [false, false, false, false])
  })

  it("T32: no policy means trusted, else the policy says", async () => {
    assert.isTrue(await isTrusted(undefined, request))
    assert.isTrue(await isTrusted(answering(Effect.succeed({ trusted: true })), request))
    assert.isFalse(await isTrusted(answering(Promise.resolve({ trusted: false })), request))
  })
})

describe("trustSteps", () => {
  it("T32: the decision carries why", () => {
    const failing: TrustPolicy = {
      check: () => {
        throw new Error("down")
      }
    }
    assert.deepEqual(trustSteps(failing, request).next().value, { trusted: false, reason: "down" })
    assert.deepEqual(trustSteps(answering({}), request).next().value, {
      trusted: false,
      reason: "Trust policy gave no decision"
    })
  })
})

describe("assertTrusted", () => {
  it("T32: a refusal rejects with request, decision and code", async () => {
    const error = await rejection(
      assertTrusted(createStaticTrustPolicy({ trusted: false, reason: "unknown place" }), request)
    )
    assert.instanceOf(error, TrustDeniedError)
    assert.deepInclude(error, {
      name: "TrustDeniedError",
      code: "ERR_PRISM_UNTRUSTED",
      message: "unknown place"
    })
    assert.strictEqual(error.request, request)
    assert.deepEqual(error.decision, { trusted: false, reason: "unknown place" })
  })

  it("T32: without a reason the message says what was not trusted", async () => {
    const error = await rejection(assertTrusted(createStaticTrustPolicy(false), request))
    assert.propertyVal(error, "message", "Not trusted: project:/work")
  })

  it("T32: it passes without a policy and when the policy trusts", async () => {
    assert.strictEqual(await rejection(assertTrusted(undefined, request)), "resolved")
    assert.strictEqual(await rejection(assertTrusted(createStaticTrustPolicy(true), request)), "resolved")
  })
})

describe("Trust", () => {
  it.effect("T32: a host of Effects provides the policy; by default there is none", () =>
    Effect.gen(function* () {
      const policy = createStaticTrustPolicy(true)
      assert.isUndefined(yield* Trust)
      assert.strictEqual(yield* Trust.pipe(Effect.provideService(Trust, policy)), policy)
      assert.strictEqual(Trust.key, "@arnilo/prism-core/security/Trust")
    })
  )
})
