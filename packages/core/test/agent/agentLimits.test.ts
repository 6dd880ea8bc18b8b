import { assert, describe, it } from "@effect/vitest"
import { readAgentLimits, readRunLimits } from "../../src/agent/agentLimits.ts"
import type { RunLimitsInput, RunOptions } from "../../src/ports/AgentPort.ts"
import { untyped } from "../dispatch/dispatching.ts"

const of = (agent: RunLimitsInput | undefined, run: RunOptions = {}) => readRunLimits(readAgentLimits(agent), run)
const rounds = (agent: RunLimitsInput | undefined, run?: RunOptions) => of(agent, run).maxToolRounds
const timeout = (agent: RunLimitsInput | undefined, run?: RunOptions) => of(agent, run).toolTimeoutMs

describe("readAgentLimits", () => {
  it("T41: a deadline out of range throws a TypeError when the agent is made", () => {
    for (const toolTimeoutMs of [0, -1, 1.5, Number.NaN, Infinity, 2_147_483_648]) {
      assert.throws(
        () => readAgentLimits({ toolTimeoutMs }),
        TypeError,
        "toolTimeoutMs must be a positive safe integer at most 2147483647"
      )
    }
    assert.throws(() => readAgentLimits({ toolTimeoutMs: untyped<number>("100") }), TypeError)
    assert.throws(() => readAgentLimits({ toolTimeoutMs: untyped<number>(null) }), TypeError)
  })

  it("S8: an unknown limit throws a TypeError that names it", () => {
    assert.throws(() => readAgentLimits(untyped({ maxToolRound: 1 })), TypeError, "Unknown limit: maxToolRound")
  })

  it("S8: a bad number of rounds is left for the run to refuse", () => {
    const limits = readAgentLimits({ maxToolRounds: 65 })
    assert.throws(
      () => readRunLimits(limits, {}),
      TypeError,
      "maxToolRounds must be a positive safe integer at most 64"
    )
  })
})

describe("readRunLimits", () => {
  it("S8: rounds out of range in limits, or a top-level one that is not 0 to 64, throw a TypeError", () => {
    const message = "maxToolRounds must be a positive safe integer at most 64"
    for (const maxToolRounds of [0, -1, 1.5, 65, Number.NaN]) {
      assert.throws(() => of({}, { limits: { maxToolRounds } }), TypeError, message)
    }
    for (const maxToolRounds of [-1, 1.5, 65, Number.NaN, untyped<number>("1"), untyped<number>(null)]) {
      assert.throws(() => of({}, { maxToolRounds }), TypeError, message)
    }
    assert.throws(() => of({}, { limits: untyped({ rounds: 1 }) }), TypeError, "Unknown limit: rounds")
  })

  it("T41: a deadline out of range throws a TypeError when the run starts", () => {
    assert.throws(
      () => of({}, { limits: { toolTimeoutMs: 0 } }),
      TypeError,
      "toolTimeoutMs must be a positive safe integer at most 2147483647"
    )
  })

  it("T41: the run may narrow the agent's deadline and never widen it", () => {
    assert.isUndefined(timeout(undefined))
    assert.strictEqual(timeout({ toolTimeoutMs: 50 }), 50)
    assert.strictEqual(timeout(undefined, { limits: { toolTimeoutMs: 70 } }), 70)
    assert.strictEqual(timeout({ toolTimeoutMs: 50 }, { limits: { toolTimeoutMs: 70 } }), 50)
    assert.strictEqual(timeout({ toolTimeoutMs: 50 }, { limits: { toolTimeoutMs: 20 } }), 20)
    assert.strictEqual(timeout({ toolTimeoutMs: 2_147_483_647 }), 2_147_483_647)
  })

  it("S8: one round by default; of several numbers the smallest counts, in whichever form", () => {
    assert.strictEqual(rounds(undefined), 1)
    assert.strictEqual(rounds({ maxToolRounds: 5 }), 5)
    assert.strictEqual(rounds(undefined, { maxToolRounds: 7 }), 7)
    assert.strictEqual(rounds(undefined, { limits: { maxToolRounds: 64 } }), 64)
    assert.strictEqual(rounds({ maxToolRounds: 5 }, { maxToolRounds: 7 }), 5)
    assert.strictEqual(rounds({ maxToolRounds: 5 }, { limits: { maxToolRounds: 9 }, maxToolRounds: 3 }), 3)
    assert.strictEqual(rounds({ maxToolRounds: 5 }, { limits: { maxToolRounds: 2 }, maxToolRounds: 3 }), 2)
  })

  it("S8: the top-level form alone takes 0", () => {
    assert.strictEqual(rounds({ maxToolRounds: 5 }, { maxToolRounds: 0 }), 0)
    assert.strictEqual(rounds(undefined, { maxToolRounds: 0 }), 0)
  })
})
