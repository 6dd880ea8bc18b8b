/** What is measured, and how much each figure may be at most. The only place with goals. */
import { medianOf, type OwnGoal, ratioTo, type Row } from "./evaluate.ts"
import type { Case } from "./rounds.ts"

export interface Bench {
  readonly id: string
  readonly title: string
  readonly rounds: number
  readonly cases: ReadonlyArray<Case>
  readonly rows: ReadonlyArray<Row>
}

const timesBare = (atMost: number, unit = "x bare"): OwnGoal => ({
  atMost,
  unit,
  figure: (samples, row) => ratioTo("bare", samples, row)
})

/** A row of times; `from` is the index of its case. */
const time = (name: string, from: number, own: OwnGoal, pi?: number): Row => ({
  name,
  from,
  metric: "us",
  unit: "us",
  own,
  ...(pi !== undefined && { pi })
})

/** Many short ones: the noise of a shared machine comes and goes within a second, and a round shall fit in between. */
const ROUNDS = 9
const unrivalled: ReadonlyArray<"bare" | "prism"> = ["bare", "prism"]

const withoutGeneration = ["--disallow-code-generation-from-strings"]

export const benches: ReadonlyArray<Bench> = [
  {
    id: "B1",
    title: "text turn, 20 deltas",
    rounds: ROUNDS,
    cases: [{ work: "textTurn" }, { work: "textStream" }],
    rows: [time("result only", 0, timesBare(6), 0.55), time("every delta consumed", 1, timesBare(9), 0.85)]
  },
  {
    id: "B2",
    title: "five tool rounds, one call each",
    rounds: ROUNDS,
    cases: [{ work: "toolRounds", size: 5 }],
    rows: [time("whole run", 0, timesBare(35), 0.75)]
  },
  {
    id: "B3",
    title: "64 calls in one turn, concurrency 8",
    rounds: ROUNDS,
    cases: [
      { work: "toolBatch", size: 64 },
      { work: "sleepingBatch", size: 5, subjects: unrivalled }
    ],
    rows: [time("trivial calls", 0, timesBare(15), 0.55), time("sleeping 5 ms, peak 8", 1, timesBare(1.1))]
  },
  {
    id: "B4",
    title: "5,000 deltas to every subscriber",
    rounds: ROUNDS,
    cases: [
      { work: "fanOut", size: 1 },
      { work: "fanOut", size: 100 }
    ],
    rows: [time("1 subscriber", 0, timesBare(1.2), 0.5), time("100 subscribers", 1, timesBare(1.1), 1.5)]
  },
  {
    id: "B4M",
    title: "heap kept by a subscriber that never reads",
    rounds: 3,
    cases: [10_000, 50_000].map((size) => ({ work: "stalled", size, fresh: true, subjects: unrivalled })),
    rows: [
      {
        name: "50,000 deltas beside 10,000",
        from: 1,
        metric: "MiB",
        unit: "MiB",
        own: {
          atMost: 0.3,
          unit: "MiB apart",
          figure: ([few, many]) => Math.abs(medianOf(many, "prism", "MiB") - medianOf(few, "prism", "MiB"))
        }
      }
    ]
  },
  {
    id: "B5",
    title: "10,000 sessions with one turn each",
    rounds: 5,
    cases: [{ work: "sessions", size: 10_000, fresh: true }],
    rows: [
      time("time each", 0, timesBare(2.5), 0.8),
      {
        name: "heap each",
        from: 0,
        metric: "KiB",
        unit: "KiB",
        own: { atMost: 1.8, unit: "KiB", figure: ([samples]) => medianOf(samples, "prism", "KiB") },
        pi: 0.7
      },
      {
        name: "a run among 1,000 at once",
        from: 0,
        metric: "togetherUs",
        unit: "us",
        own: { atMost: 2.5, unit: "x lone run", figure: ([samples]) => medianOf(samples, "prism", "timesAlone") },
        pi: 0.6
      }
    ]
  },
  {
    id: "B6",
    title: "one more turn of a long session",
    rounds: ROUNDS,
    cases: [20, 2000, 8000].map((size) => ({ work: "longSession", size })),
    rows: [
      time("20 messages", 0, timesBare(9), 1),
      time("2,000 messages", 1, timesBare(6), 0.6),
      time("8,000 messages", 2, timesBare(4), 0.5)
    ]
  },
  {
    id: "B7",
    title: "arguments against five tool schemas, beside Ajv",
    rounds: ROUNDS,
    cases: [
      { work: "unseenSchemas", subjects: unrivalled },
      { work: "validArguments", subjects: unrivalled },
      { work: "invalidArguments", subjects: unrivalled },
      { work: "validArguments", subjects: unrivalled, prismFlags: withoutGeneration },
      { work: "invalidArguments", subjects: unrivalled, prismFlags: withoutGeneration },
      { work: "hostileSchemas", subjects: ["prism"], fresh: true }
    ],
    rows: [
      time("compile and check once", 0, timesBare(0.02, "x Ajv")),
      time("valid, known", 1, timesBare(0.85, "x Ajv")),
      time("invalid, known, with messages", 2, timesBare(2, "x Ajv")),
      time("valid, without generated code", 3, timesBare(3, "x Ajv")),
      time("invalid, without generated code", 4, timesBare(6, "x Ajv")),
      {
        name: "longest block by a hostile schema",
        from: 5,
        metric: "ms",
        unit: "ms",
        own: { atMost: 25, unit: "ms", figure: ([, , , , , samples]) => medianOf(samples, "prism", "ms") }
      }
    ]
  },
  {
    id: "B7I",
    title: "import of the validator",
    rounds: ROUNDS,
    cases: [{ work: "importValidator", subjects: unrivalled }],
    rows: [{ name: "beside core alone", from: 0, metric: "ms", unit: "ms", own: timesBare(1.15, "x core") }]
  },
  {
    id: "B8",
    title: "process start",
    rounds: ROUNDS,
    cases: [
      { work: "importLibrary", subjects: unrivalled },
      { work: "firstOutput", subjects: unrivalled }
    ],
    rows: [
      { name: 'import "@arnilo/prism"', from: 0, metric: "ms", unit: "ms", own: timesBare(1.2, "x effect/Effect") },
      { name: "prism -p, first output", from: 1, metric: "ms", unit: "ms", own: timesBare(2.2, "x empty Node") }
    ]
  },
  {
    id: "B9",
    title: "calls of an MCP server, beside the official client",
    rounds: ROUNDS,
    cases: [1, 16].map((size) => ({ work: "mcpCalls", size, subjects: unrivalled })),
    rows: [
      time("one call at a time", 0, timesBare(1.1, "x client")),
      time("16 in flight", 1, timesBare(1.1, "x client"))
    ]
  },
  {
    id: "B10",
    title: "coding tools",
    rounds: ROUNDS,
    cases: [
      { work: "firstPage", subjects: unrivalled },
      { work: "nextPage", subjects: unrivalled },
      { work: "shellTrue", subjects: unrivalled },
      { work: "editOnce", subjects: unrivalled },
      { work: "editOften", size: 100, subjects: unrivalled }
    ],
    rows: [
      time("200 lines at line 900,000 of 100 MB", 0, timesBare(1.25, "x sed")),
      time("the next 200 lines", 1, timesBare(0.1, "x sed")),
      time("shell true", 2, timesBare(1.15, "x spawn")),
      time("one replacement in 8 MB", 3, timesBare(4)),
      time("100 replacements in 8 MB", 4, timesBare(3, "x one"))
    ]
  },
  {
    id: "B10M",
    title: "a command that prints 200 MB",
    rounds: ROUNDS,
    cases: [{ work: "flood", size: 200_000_000, fresh: true, subjects: unrivalled }],
    rows: [
      { name: "time", from: 0, metric: "ms", unit: "ms", own: timesBare(2) },
      { name: "peak memory", from: 0, metric: "MiB", unit: "MiB", own: timesBare(1.25) }
    ]
  }
]
