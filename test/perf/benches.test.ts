import { assert, describe, it } from "@effect/vitest"
import { benches } from "./benches.ts"
import { evaluate } from "./evaluate.ts"
import type { Samples } from "./rounds.ts"
import type { Metrics } from "./works.ts"

const prismOnly = (...rounds: ReadonlyArray<Metrics>): Samples => ({
  of: (subject) => (subject === "prism" ? rounds : []),
  failures: new Map()
})
const figure = (bench: string, name: string, samples: ReadonlyArray<Samples>) => {
  const row = benches.find(({ id }) => id === bench)?.rows.find((candidate) => candidate.name === name)
  assert.isDefined(row)
  return evaluate(bench, row, samples)
}

describe("benches", () => {
  it("have these goals", () => {
    const goals = benches.flatMap(({ id, rows }) =>
      rows.map(
        ({ name, own, pi }) => `${id} ${name}: ${own.atMost} ${own.unit}${pi === undefined ? "" : `, ${pi} x pi`}`
      )
    )
    assert.deepStrictEqual(goals, [
      "B1 result only: 6 x bare, 0.55 x pi",
      "B1 every delta consumed: 9 x bare, 0.85 x pi",
      "B2 whole run: 35 x bare, 0.75 x pi",
      "B3 trivial calls: 15 x bare, 0.55 x pi",
      "B3 sleeping 5 ms, peak 8: 1.1 x bare",
      "B4 1 subscriber: 1.2 x bare, 0.5 x pi",
      "B4 100 subscribers: 1.1 x bare, 1.5 x pi",
      "B4M 50,000 deltas beside 10,000: 0.3 MiB apart",
      "B5 time each: 2.5 x bare, 0.8 x pi",
      "B5 heap each: 1.8 KiB, 0.7 x pi",
      "B5 a run among 1,000 at once: 2.5 x lone run, 0.6 x pi",
      "B6 20 messages: 9 x bare, 1 x pi",
      "B6 2,000 messages: 6 x bare, 0.6 x pi",
      "B6 8,000 messages: 4 x bare, 0.5 x pi",
      "B7 compile and check once: 0.02 x Ajv",
      "B7 valid, known: 0.85 x Ajv",
      "B7 invalid, known, with messages: 2 x Ajv",
      "B7 valid, without generated code: 3 x Ajv",
      "B7 invalid, without generated code: 6 x Ajv",
      "B7 longest block by a hostile schema: 25 ms",
      "B7I beside core alone: 1.15 x core",
      'B8 import "@arnilo/prism": 1.2 x effect/Effect',
      "B8 prism -p, first output: 2.2 x empty Node",
      "B9 one call at a time: 1.1 x client",
      "B9 16 in flight: 1.1 x client",
      "B10 200 lines at line 900,000 of 100 MB: 1.25 x sed",
      "B10 the next 200 lines: 0.1 x sed",
      "B10 shell true: 1.15 x spawn",
      "B10 one replacement in 8 MB: 4 x bare",
      "B10 100 replacements in 8 MB: 3 x one",
      "B10M time: 2 x bare",
      "B10M peak memory: 1.25 x bare"
    ])
  })

  it("take the values of a row from a case that there is", () => {
    for (const { cases, rows } of benches) for (const { from } of rows) assert.isDefined(cases[from])
  })

  it("B4M compares what two amounts of deltas left behind, in both directions", () => {
    const [few, many] = [prismOnly({ MiB: 0.2 }), prismOnly({ MiB: 0.9 })]
    assert.strictEqual(figure("B4M", "50,000 deltas beside 10,000", [few, many]).verdict, "MISSED")
    assert.strictEqual(figure("B4M", "50,000 deltas beside 10,000", [many, few]).verdict, "MISSED")
    assert.strictEqual(figure("B4M", "50,000 deltas beside 10,000", [few, few]).verdict, "ok")
  })

  it("B5 judges heap as an amount and a run among many beside a lone one of its own process", () => {
    const samples = [prismOnly({ us: 50, KiB: 1.5, togetherUs: 90, timesAlone: 2 })]
    assert.deepStrictEqual(figure("B5", "heap each", samples).own, {
      figure: 1.5,
      atMost: 1.8,
      unit: "KiB",
      verdict: "ok"
    })
    assert.strictEqual(figure("B5", "a run among 1,000 at once", samples).own.figure, 2)
    assert.strictEqual(figure("B5", "a run among 1,000 at once", samples).values.prism, 90)
  })
})
