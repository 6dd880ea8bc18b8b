import { assert, describe, it } from "@effect/vitest"
import type { Usage } from "../../src/schema/Usage.ts"
import { UsageTotal } from "../../src/turn/UsageTotal.ts"
import { untyped } from "../run/runs.ts"

const totalOf = (...reported: ReadonlyArray<Usage>) => {
  const total = new UsageTotal()
  for (const usage of reported) total.add(usage)
  return total.get()
}

describe("UsageTotal", () => {
  it("S10: nothing reported is no usage", () => {
    assert.isUndefined(totalOf())
  })

  it("S10: one mismatch of currencies drops cost and currency for good", () => {
    const dollars = { cost: 2, currency: "USD" }
    assert.deepStrictEqual(totalOf(dollars, { cost: 1, currency: "EUR" }, dollars), {})
    assert.deepStrictEqual(totalOf(dollars, { cost: 1 }), {})
    assert.deepStrictEqual(totalOf(dollars, { inputTokens: 1 }, dollars), {
      inputTokens: 1,
      totalTokens: 1,
      cost: 4,
      currency: "USD"
    })
    assert.deepStrictEqual(totalOf({ cost: 1 }, { cost: 2 }), { cost: 3 })
  })

  it("S10: a number that is none is not believed", () => {
    const odd = untyped<Usage>({
      inputTokens: "5",
      outputTokens: Number.NaN,
      totalTokens: null,
      cost: Number.POSITIVE_INFINITY
    })
    assert.deepStrictEqual(totalOf(odd, { inputTokens: 1, cost: 1, currency: "USD" }), {
      inputTokens: 1,
      totalTokens: 1,
      cost: 1,
      currency: "USD"
    })
  })

  it("S10: sums each count; a turn's total is what it says, else input and output", () => {
    assert.deepStrictEqual(
      totalOf(
        { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 1 },
        { inputTokens: 1, totalTokens: 100 },
        { outputTokens: 2 },
        { cacheReadTokens: 4 }
      ),
      { inputTokens: 11, outputTokens: 7, cacheReadTokens: 7, cacheWriteTokens: 1, totalTokens: 117 }
    )
  })

  it("S10: what it gave is not changed by what comes later", () => {
    const total = new UsageTotal()
    total.add({ inputTokens: 1 })
    const before = total.get()
    total.add({ inputTokens: 1 })
    assert.deepStrictEqual(before, { inputTokens: 1, totalTokens: 1 })
  })
})
