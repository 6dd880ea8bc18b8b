import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { LimitError } from "../../src/errors/LimitError.ts"
import { define, isWithin } from "../../src/limits/Limits.ts"
import { untyped } from "../dispatch/dispatching.ts"

const Bounds = define({
  depth: { unit: "count", default: 4, hardCap: 10 },
  waitMs: { unit: "milliseconds", hardCap: 100 }
})
const failureOf = (input: unknown, outer?: { readonly depth?: number; readonly waitMs?: number }) => {
  const resolved = Bounds.resolve(untyped<{ readonly depth?: number }>(input), outer)
  return Result.isFailure(resolved) ? resolved.failure : undefined
}

describe("Limits.define", () => {
  it("T41: a value that is no positive safe integer up to the cap is refused, not clamped", () => {
    for (const value of [0, -1, 1.5, 11, Number.NaN, Infinity, 2 ** 53, "5", null, true]) {
      const failure = failureOf({ depth: value })
      assert.instanceOf(failure, LimitError)
      assert.deepInclude(failure, { limit: "depth", value, max: 10 })
    }
    assert.strictEqual(failureOf({ depth: 11 })?.message, "depth must be a positive safe integer at most 10, not 11")
  })

  it("a name that is not in the table is refused, also one that every object has", () => {
    for (const name of ["width", "toString", "constructor", "Depth"]) {
      const failure = failureOf({ [name]: 1 })
      assert.strictEqual(failure?.message, `Unknown limit: ${name}`)
      assert.isUndefined(failure?.max)
    }
  })

  it("T41: a value wider than the outer scope takes the outer one; a narrower one counts", () => {
    const outer = { depth: 6, waitMs: 50 }
    assert.deepEqual(Result.getOrThrow(Bounds.resolve({ depth: 9, waitMs: 60 }, outer)), { depth: 6, waitMs: 50 })
    assert.deepEqual(Result.getOrThrow(Bounds.resolve({ depth: 2, waitMs: 10 }, outer)), { depth: 2, waitMs: 10 })
    assert.deepEqual(Result.getOrThrow(Bounds.resolve({}, outer)), { depth: 6, waitMs: 50 })
    assert.strictEqual(failureOf({ depth: 0 }, outer)?.max, 10)
  })

  it("what is absent takes the default, or is not bounded", () => {
    assert.deepEqual(Result.getOrThrow(Bounds.resolve()), { depth: 4, waitMs: undefined })
    assert.deepEqual(Result.getOrThrow(Bounds.resolve({ waitMs: 100 })), { depth: 4, waitMs: 100 })
  })
})

describe("isWithin", () => {
  it("holds for positive safe integers up to the bound alone", () => {
    assert.isTrue(isWithin(1, 1))
    assert.isTrue(isWithin(2_147_483_647, 2_147_483_647))
    for (const value of [0, 2, 1.5, "1", undefined, Number.NaN]) assert.isFalse(isWithin(value, 1))
  })
})
