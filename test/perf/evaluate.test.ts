import { assert, describe, it } from "@effect/vitest"
import { evaluate, failuresOf, isFailure, type Row } from "./evaluate.ts"
import type { Samples } from "./rounds.ts"
import type { SubjectName } from "./Subject.ts"
import type { Metrics } from "./works.ts"

/** Times in microseconds, one per round. */
const timesOf = (times: Partial<Record<SubjectName, ReadonlyArray<number>>>): Samples => ({
  of: (subject): ReadonlyArray<Metrics> => (times[subject] ?? []).map((us) => ({ us })),
  failures: new Map()
})
const row = (atMost: number, pi?: number): Row => ({
  name: "work",
  from: 0,
  metric: "us",
  unit: "us",
  own: {
    atMost,
    unit: "x bare",
    figure: ([samples]) => (samples?.of("prism")[0]?.["us"] ?? Number.NaN) / (samples?.of("bare")[0]?.["us"] ?? 1)
  },
  ...(pi !== undefined && { pi })
})
const verdict = (samples: Samples, judged: Row) => evaluate("B0", judged, [samples]).verdict

describe("evaluate", () => {
  it("misses a goal by more than a quarter only", () => {
    assert.strictEqual(verdict(timesOf({ bare: [10], prism: [51] }), row(4)), "MISSED")
    assert.strictEqual(verdict(timesOf({ bare: [10], prism: [50] }), row(4)), "within noise")
    assert.strictEqual(verdict(timesOf({ bare: [10], prism: [41] }), row(4)), "within noise")
    assert.strictEqual(verdict(timesOf({ bare: [10], prism: [40] }), row(4)), "ok")
  })

  it("lets the ratio to pi count where the two goals disagree", () => {
    const slowBesideBare = evaluate("B0", row(4, 0.5), [timesOf({ bare: [10], prism: [90], pi: [200] })])
    assert.strictEqual(slowBesideBare.own.verdict, "MISSED")
    assert.strictEqual(slowBesideBare.pi?.verdict, "ok")
    assert.strictEqual(slowBesideBare.verdict, "ok")
    const slowBesidePi = evaluate("B0", row(4, 0.5), [timesOf({ bare: [10], prism: [30], pi: [40] })])
    assert.strictEqual(slowBesidePi.own.verdict, "ok")
    assert.strictEqual(slowBesidePi.verdict, "MISSED")
  })

  it("judges by its own goal where pi was not measured", () => {
    const result = evaluate("B0", row(4, 0.5), [timesOf({ bare: [10], prism: [90] })])
    assert.strictEqual(result.verdict, "MISSED")
    assert.strictEqual(result.pi?.atMost, 0.5)
    assert.isUndefined(result.pi?.verdict)
  })

  it("judges by its own goal where the row has none beside pi", () => {
    const result = evaluate("B0", row(4), [timesOf({ bare: [10], prism: [30], pi: [1] })])
    assert.strictEqual(result.verdict, "ok")
    assert.isUndefined(result.pi)
  })

  it("fails a row without a figure of prism or bare, whatever pi says", () => {
    assert.strictEqual(verdict(timesOf({ bare: [10], pi: [10] }), row(4, 0.5)), "FAILED")
    assert.strictEqual(verdict(timesOf({}), row(4)), "FAILED")
  })

  it("compares round by round and shows the median of each subject", () => {
    const samples = timesOf({ bare: [1, 1, 1], prism: [10, 30, 90], pi: [20, 30, 30] })
    const result = evaluate("B0", row(100, 1), [samples])
    assert.deepStrictEqual(result.values, { bare: 1, prism: 30, pi: 30 })
    assert.strictEqual(result.pi?.figure, 1)
  })
})

describe("isFailure", () => {
  it("is a missed goal and a row without figures, not the noise", () => {
    const results = [
      evaluate("B0", row(4), [timesOf({ bare: [10], prism: [60] })]),
      evaluate("B0", row(4), [timesOf({})]),
      evaluate("B0", row(4), [timesOf({ bare: [10], prism: [45] })]),
      evaluate("B0", row(4), [timesOf({ bare: [10], prism: [10] })])
    ]
    assert.deepStrictEqual(results.map(isFailure), [true, true, false, false])
  })
})

describe("failuresOf", () => {
  it("names bench, subject and reason", () => {
    const samples: Samples = { of: () => [], failures: new Map([["pi" as const, "wrong text"]]) }
    assert.deepStrictEqual(failuresOf("B1", [samples, timesOf({})]), ["B1: pi failed: wrong text"])
  })
})
