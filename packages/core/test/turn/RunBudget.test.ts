import { assert, describe, it } from "@effect/vitest"
import { RunBudget } from "../../src/turn/RunBudget.ts"

const limits = {
  maxToolRounds: 1,
  maxTurns: undefined,
  maxToolCalls: undefined,
  maxWallMs: undefined,
  toolTimeoutMs: undefined
}
const thrown = (body: () => unknown) => {
  try {
    return body()
  } catch (error) {
    return (error as Error).message
  }
}

describe("RunBudget", () => {
  it("refuses the turn behind the last one, and goes on refusing", () => {
    const budget = new RunBudget({ ...limits, maxTurns: 2 })
    assert.deepStrictEqual([budget.beginTurn(), budget.beginTurn()], [1, 2])
    assert.strictEqual(
      thrown(() => budget.beginTurn()),
      "Run limit reached: maxTurns 2"
    )
    assert.strictEqual(
      thrown(() => budget.beginTurn()),
      "Run limit reached: maxTurns 2"
    )
    assert.strictEqual(budget.turns, 2)
  })

  it("refuses a batch that is too large before its first call", () => {
    const budget = new RunBudget({ ...limits, maxToolCalls: 2 })
    budget.announceCalls(3)
    assert.strictEqual(
      thrown(() => budget.beginToolCall()),
      "Run limit reached: maxToolCalls 2"
    )
    budget.announceCalls(2)
    assert.deepStrictEqual(
      [thrown(() => budget.beginToolCall()), thrown(() => budget.beginToolCall())],
      [undefined, undefined]
    )
    assert.strictEqual(
      thrown(() => budget.beginToolCall()),
      "Run limit reached: maxToolCalls 2"
    )
  })

  it("bounds nothing unless told to", () => {
    const budget = new RunBudget(limits)
    for (let at = 0; at < 1000; at += 1) budget.beginToolCall()
    for (let at = 0; at < 1000; at += 1) budget.beginTurn()
    assert.strictEqual(budget.turns, 1000)
  })
})
