import { assert, describe, it } from "@effect/vitest"
import { LimitError } from "../../src/errors/LimitError.ts"
import type { RetryOptions } from "../../src/ports/AIProvider.ts"
import { createRetryPolicy, decideRetry, resolveRetryBounds } from "../../src/provider/RetryPolicy.ts"

const decide = (error: unknown, attempt = 1, options?: RetryOptions) => decideRetry({ error, attempt }, options)
const timeout = { message: "m", code: "timeout" }

describe("decideRetry", () => {
  it("S34: an abort is never tried again, whatever its code", () => {
    const aborts = [
      new DOMException("gone", "AbortError"),
      { name: "AbortError", message: "timeout", code: 503 },
      new Error("Request was aborted"),
      { message: "ABORTED by peer", code: "ECONNRESET" },
      "abort"
    ]
    for (const error of aborts) assert.deepEqual(decide(error, 1, { transientCodes: ["ECONNRESET"] }), { retry: false })
  })

  it("S34: what is not known to be transient is not tried again", () => {
    const errors = [
      new Error("bad request"),
      { message: "m", code: 400 },
      { message: "m", code: 501 },
      { message: "m", code: "etimedout" },
      { message: "m", code: "toString" },
      "no",
      null,
      undefined
    ]
    for (const error of errors) assert.deepEqual(decide(error), { retry: false })
  })

  it("S33: the last of the attempts is not tried again", () => {
    assert.deepEqual(decide(timeout, 3), { retry: false })
    assert.deepEqual(decide(timeout, 1, { maxAttempts: 1 }), { retry: false })
    assert.strictEqual(decide(timeout, 4, { maxAttempts: 5 }).retry, true)
  })

  it("S34: every transient code is tried again, as text or number", () => {
    const codes =
      "ETIMEDOUT ECONNRESET ECONNREFUSED EAI_AGAIN ENOTFOUND timeout rate_limit overloaded temporarily_unavailable"
    for (const code of codes.split(" ")) assert.isTrue(decide({ message: "m", code }).retry, code)
    for (const code of [408, 409, 425, 429, 500, 502, 503, 504]) {
      assert.isTrue(decide({ message: "m", code }).retry, String(code))
      assert.isTrue(decide({ message: "m", code: String(code) }).retry, String(code))
    }
    assert.isTrue(decide(Object.assign(new Error("m"), { code: "ECONNRESET" })).retry)
  })

  it("S34: a host adds codes", () => {
    const options = { transientCodes: ["E_MINE", 418] }
    assert.isTrue(decide({ message: "m", code: "E_MINE" }, 1, options).retry)
    assert.isTrue(decide({ message: "m", code: "418" }, 1, options).retry)
    assert.isTrue(decide(timeout, 1, options).retry)
    assert.isFalse(decide({ message: "m", code: 419 }, 1, options).retry)
  })

  it("S34: a message that says so is enough", () => {
    const messages = [
      "Connection timeout",
      "Temporarily down",
      "a temporary fault",
      "Rate limit hit",
      "Overloaded",
      "Service Unavailable"
    ]
    for (const message of messages) assert.isTrue(decide(new Error(message)).retry, message)
  })

  it("S33: the delay doubles with every attempt up to its cap", () => {
    const delays = [1, 2, 3, 4, 5, 6, 99].map((attempt) => decide(timeout, attempt, { maxAttempts: 100 }).delayMs)
    assert.deepEqual(delays, [100, 200, 400, 800, 1_000, 1_000, 1_000])
    const own = { maxAttempts: 9, baseDelayMs: 10, maxDelayMs: 30 }
    assert.deepEqual(
      [1, 2, 3].map((attempt) => decide(timeout, attempt, own).delayMs),
      [10, 20, 30]
    )
    assert.deepEqual(decide(timeout, 1, { baseDelayMs: 0 }), { retry: true, delayMs: 0 })
    assert.deepEqual(decide(timeout, 1, { maxDelayMs: 0 }), { retry: true, delayMs: 0 })
  })

  it("S33: a provider's hint replaces the delay, still capped", () => {
    assert.strictEqual(decide({ ...timeout, retryAfterMs: 700 }, 1).delayMs, 700)
    assert.strictEqual(decide({ ...timeout, retryAfterMs: 0 }, 2).delayMs, 0)
    assert.strictEqual(decide({ ...timeout, retryAfterMs: 60_000 }, 1).delayMs, 1_000)
    assert.strictEqual(decide({ ...timeout, retryAfterMs: -1 }, 1).delayMs, 100)
  })
})

describe("createRetryPolicy, resolveRetryBounds", () => {
  it("S33: a bound that is out of range is refused when the policy is made", () => {
    for (const options of [
      { maxAttempts: 0 },
      { maxAttempts: 1.5 },
      { baseDelayMs: -1 },
      { maxDelayMs: Number.NaN },
      { maxDelayMs: 2 ** 31 }
    ]) {
      assert.throws(() => createRetryPolicy(options), LimitError)
    }
  })

  it("S33: the defaults are 3 attempts, 100 ms and 1,000 ms", () => {
    assert.deepEqual(resolveRetryBounds(), { maxAttempts: 3, baseDelayMs: 100, maxDelayMs: 1_000 })
    const own = { maxAttempts: 5, baseDelayMs: 0, maxDelayMs: 7 }
    assert.deepEqual(resolveRetryBounds(own), own)
  })

  it("S33: the policy decides as decideRetry does with its options", () => {
    const context = { sessionId: "s", runId: "r", turn: 1, attempt: 2, error: timeout }
    assert.deepEqual(createRetryPolicy({ baseDelayMs: 5 }).decide(context), { retry: true, delayMs: 10 })
    assert.deepEqual(createRetryPolicy({ maxAttempts: 2 }).decide(context), { retry: false })
  })
})
