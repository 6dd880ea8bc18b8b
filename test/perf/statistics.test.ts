import { assert, describe, it } from "@effect/vitest"
import { median, pairedRatio, shuffled } from "./statistics.ts"

describe("median", () => {
  it("is the middle by size, or the mean of the two middle values", () => {
    assert.strictEqual(median([10, 9, 100]), 10)
    assert.strictEqual(median([4, 1, 3, 2]), 2.5)
  })

  it("is no number of nothing", () => {
    assert.isNaN(median([]))
  })
})

describe("pairedRatio", () => {
  it("divides within a round, so that a busy round weighs on both", () => {
    assert.strictEqual(pairedRatio([20, 200, 22], [10, 100, 11]), 2)
  })

  it("leaves out rounds in which one of the two is missing", () => {
    assert.strictEqual(pairedRatio([20, undefined, 90], [10, 1, undefined]), 2)
    assert.isNaN(pairedRatio([20], []))
  })
})

describe("shuffled", () => {
  it("keeps every value and leaves the list as it was", () => {
    const values = ["bare", "prism", "pi"]
    assert.sameMembers(shuffled(values), ["bare", "prism", "pi"])
    assert.deepStrictEqual(values, ["bare", "prism", "pi"])
  })
})
