import { assert, describe, it } from "@effect/vitest"
import { readRetry } from "../../src/agent/agentRetry.ts"

describe("readRetry", () => {
  it("S33: refuses bounds out of range, also those that only the merge shows", () => {
    assert.throws(
      () => readRetry({ maxAttempts: 101 }),
      TypeError,
      "retry.maxAttempts must be a positive safe integer at most 100, not 101"
    )
    assert.throws(
      () => readRetry({}, { maxDelayMs: Number.NaN }),
      TypeError,
      "retry.maxDelayMs must be a positive safe integer at most 2147483647, not NaN"
    )
  })

  it("S30: is off unless configured, and off again when the run says false", () => {
    for (const [agent, run] of [
      [undefined, undefined],
      [false, undefined],
      [{}, false],
      [undefined, false]
    ] as const) {
      assert.isUndefined(readRetry(agent, run))
    }
  })

  it("S30: the run's options are laid over the agent's, also where the agent says false", () => {
    assert.deepStrictEqual(readRetry({ maxAttempts: 2, baseDelayMs: 5 }, { baseDelayMs: 7 }), {
      maxAttempts: 2,
      baseDelayMs: 7
    })
    assert.deepStrictEqual(readRetry(false, { maxAttempts: 2 }), { maxAttempts: 2 })
    assert.deepStrictEqual(readRetry({ maxAttempts: 2 }), { maxAttempts: 2 })
  })
})
