import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

describe("multipleOf", () => {
  it("divides integers", () => {
    accepts({ multipleOf: 3 }, 0, -0, 3, -9, 300, 9_007_199_254_740_990)
    refuses({ multipleOf: 3 }, 1, -1, 3.5, 9_007_199_254_740_991)
    accepts({ multipleOf: 1 }, 5, 1e300, -7)
    refuses({ multipleOf: 1 }, 0.5, 1e-7)
  })

  it("divides decimals as they are written", () => {
    accepts({ multipleOf: 0.1 }, 0.1, 0.3, 0.7, 1.1, 4.35 * 2, -0.6, 1, 123_456.7)
    refuses({ multipleOf: 0.1 }, 0.15, 0.01, 1.05, 0.300_000_000_000_000_04)
    accepts({ multipleOf: 0.01 }, 4.35, 19.99, 0.07, 1.1, 10)
    refuses({ multipleOf: 0.01 }, 4.355, 0.001)
    accepts({ multipleOf: 2.5 }, 5, 7.5, -2.5)
    refuses({ multipleOf: 2.5 }, 1, 6)
    accepts({ multipleOf: 0.3 }, 0.9, 1.2, 3)
    refuses({ multipleOf: 0.3 }, 1, 0.1)
  })

  it("divides very small and very large numbers", () => {
    accepts({ multipleOf: 1e-7 }, 1e-7, 3e-7, 1, 0.000_001_5, 1e300)
    refuses({ multipleOf: 1e-7 }, 1.5e-7, 1e-8)
    accepts({ multipleOf: 1e300 }, 1e300, 0, 2e300, -3e300)
    refuses({ multipleOf: 1e300 }, 1, 1e299, 1.5e300)
    accepts({ multipleOf: 5e-324 }, 1, 1e300, 5e-324)
    accepts({ multipleOf: 0.5 }, 1e308)
    refuses({ multipleOf: 7 }, 1e22)
    accepts({ multipleOf: 10 }, 1e22)
  })

  it("is silent on what is no number", () => {
    accepts({ multipleOf: 2 }, "3", null, [3], { a: 3 }, true)
  })

  it("says of what", () => {
    explains({ multipleOf: 0.1 }, 0.25, ["must be a multiple of 0.1, got 0.25"])
    explains({ type: "integer", multipleOf: 5 }, 7, ["must be a multiple of 5, got 7"])
  })

  it("J12: must be a number above 0", () => {
    for (const bad of [0, -0, -2, "2", null, true, [2]]) {
      assert.strictEqual(rejection({ multipleOf: bad }), "#/multipleOf: must be a number above 0")
    }
  })
})
