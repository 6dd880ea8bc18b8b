import { assert, describe, it } from "@effect/vitest"
import { ApprovalLimits } from "../../src/limits/ApprovalLimits.ts"
import { MAX_TIMER_MS, RunLimits } from "../../src/limits/RunLimits.ts"
import { ToolLimits } from "../../src/limits/ToolLimits.ts"

describe("RunLimits", () => {
  it("S8, T41: one tool round of at most 64, and no other bound unless a host sets it", () => {
    assert.deepEqual(RunLimits.table, {
      maxToolRounds: { unit: "count", default: 1, hardCap: 64 },
      maxTurns: { unit: "count", hardCap: 10_000 },
      maxToolCalls: { unit: "count", hardCap: 100_000 },
      maxWallMs: { unit: "milliseconds", hardCap: 2_147_483_647 },
      toolTimeoutMs: { unit: "milliseconds", hardCap: 2_147_483_647 }
    })
    assert.strictEqual(MAX_TIMER_MS, 2_147_483_647)
  })
})

describe("ToolLimits", () => {
  it("T41: a tool has no deadline of its own unless it sets one, up to the longest timer", () => {
    assert.deepEqual(ToolLimits.table, { timeoutMs: { unit: "milliseconds", hardCap: 2_147_483_647 } })
  })
})

describe("ApprovalLimits", () => {
  it("an answer is waited for 30 seconds, up to the longest timer", () => {
    assert.deepEqual(ApprovalLimits.table, {
      approvalTimeoutMs: { unit: "milliseconds", default: 30_000, hardCap: 2_147_483_647 }
    })
  })
})
