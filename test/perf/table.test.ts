import { assert, describe, it } from "@effect/vitest"
import type { Result } from "./evaluate.ts"
import { formatSummary, formatTable } from "./table.ts"

const reached: Result = {
  bench: "B1",
  name: "result only",
  unit: "us",
  values: { bare: 8.123, prism: 80, pi: 190.6 },
  own: { figure: 9.849, atMost: 6, unit: "x bare", verdict: "MISSED" },
  pi: { figure: 0.4197, atMost: 0.55, verdict: "ok" },
  verdict: "ok"
}
const unrivalled: Result = {
  bench: "B8",
  name: "start",
  unit: "ms",
  values: { bare: 50, prism: 60, pi: Number.NaN },
  own: { figure: 1.2, atMost: 1, unit: "x empty Node", verdict: "within noise" },
  verdict: "within noise"
}
const lines = (...results: ReadonlyArray<Result>) => formatTable(results, "not installed").split("\n")

describe("formatTable", () => {
  it("sets each figure beside its goal", () => {
    assert.strictEqual(
      lines(reached)[2],
      "| B1 result only | 8.12 us | 80.0 us | 191 us | 9.85 | 6 x bare | 0.420 |    0.55 | ok (own goal: MISSED) |"
    )
  })

  it("says nothing about pi where the row has no such goal", () => {
    assert.strictEqual(
      lines(unrivalled)[2],
      "| B8 start | 50.0 ms | 60.0 ms |  - | 1.20 | 1 x empty Node |    - |       - | within noise |"
    )
  })

  it("says why a figure of pi is missing, and keeps its goal in sight", () => {
    const { bench, name, own, unit } = reached
    const values = { bare: 8, prism: 80, pi: Number.NaN }
    const pi = { figure: Number.NaN, atMost: 0.55 }
    assert.strictEqual(
      lines({ bench, name, unit, own, values, pi, verdict: "MISSED" })[2],
      "| B1 result only | 8.00 us | 80.0 us | not installed | 9.85 | 6 x bare |    - |    0.55 | MISSED  |"
    )
  })

  it("gives every line the same width", () => {
    const widths = lines(reached, unrivalled).map((line) => line.length)
    assert.strictEqual(new Set(widths).size, 1)
    assert.strictEqual(widths.length, 4)
  })
})

describe("formatSummary", () => {
  it("counts the verdicts", () => {
    const failed: Result = { ...unrivalled, verdict: "FAILED" }
    const missed: Result = { ...unrivalled, verdict: "MISSED" }
    assert.strictEqual(
      formatSummary([reached, unrivalled, missed, missed, failed]),
      "1 ok, 1 within noise, 2 missed, 1 failed"
    )
  })
})
