/** From measurements to verdicts. */
import type { Samples } from "./rounds.ts"
import { median, pairedRatio } from "./statistics.ts"
import { type SubjectName, subjectNames } from "./Subject.ts"

/** The figure of a row that stands without a rival, and what it may be at most. */
export interface OwnGoal {
  readonly atMost: number
  /** What the figure counts: times something, or an amount. */
  readonly unit: string
  readonly figure: (samples: ReadonlyArray<Samples>, row: Row) => number
}

export interface Row {
  readonly name: string
  /** Which of the bench's cases the values are from, and the name of the metric in it. */
  readonly from: number
  readonly metric: string
  readonly unit: string
  readonly own: OwnGoal
  /** What the ratio to pi may be at most. */
  readonly pi?: number
}

export type Verdict = "ok" | "within noise" | "MISSED" | "FAILED"

export interface Result {
  readonly bench: string
  readonly name: string
  readonly unit: string
  readonly values: Readonly<Record<SubjectName, number>>
  readonly own: { readonly figure: number; readonly atMost: number; readonly unit: string; readonly verdict: Verdict }
  /** Absent where the row has no such goal. Without a verdict where pi was not measured. */
  readonly pi?: { readonly figure: number; readonly atMost: number; readonly verdict?: Verdict }
  readonly verdict: Verdict
}

/** How far a figure may be above its goal before the run fails: the noise of a shared machine. */
const NOISE = 1.25

const judge = (figure: number, atMost: number): Verdict => {
  if (Number.isNaN(figure)) return "FAILED"
  if (figure <= atMost) return "ok"
  return figure <= atMost * NOISE ? "within noise" : "MISSED"
}

const valuesOf = (samples: Samples | undefined, subject: SubjectName, metric: string) =>
  samples?.of(subject).map((metrics) => metrics[metric]) ?? []

/** The median over the rounds; `NaN` where nothing was measured. */
export const medianOf = (samples: Samples | undefined, subject: SubjectName, metric: string): number =>
  median(valuesOf(samples, subject, metric).filter((value) => value !== undefined))

/** Prism's values against another's, round by round. */
export const ratioTo = (subject: SubjectName, samples: ReadonlyArray<Samples>, { from, metric }: Row): number =>
  pairedRatio(valuesOf(samples[from], "prism", metric), valuesOf(samples[from], subject, metric))

/** `samples` are those of the bench's cases, in their order. Where both goals are judged, the ratio to pi counts. */
export const evaluate = (bench: string, row: Row, samples: ReadonlyArray<Samples>): Result => {
  const { name, own, pi: piAtMost, unit } = row
  const value = (subject: SubjectName) => medianOf(samples[row.from], subject, row.metric)
  const figure = own.figure(samples, row)
  const result = {
    bench,
    name,
    unit,
    values: { bare: value("bare"), prism: value("prism"), pi: value("pi") },
    own: { figure, atMost: own.atMost, unit: own.unit, verdict: judge(figure, own.atMost) }
  }
  if (piAtMost === undefined) return { ...result, verdict: result.own.verdict }
  const pi = { figure: ratioTo("pi", samples, row), atMost: piAtMost }
  if (Number.isNaN(pi.figure)) return { ...result, pi, verdict: result.own.verdict }
  const verdict = judge(pi.figure, piAtMost)
  return { ...result, pi: { ...pi, verdict }, verdict: result.own.verdict === "FAILED" ? "FAILED" : verdict }
}

/** What went wrong in a case, one line each. A rival that fails is left out; the others make the run fail. */
export const failuresOf = (bench: string, samples: ReadonlyArray<Samples>): ReadonlyArray<string> =>
  samples.flatMap(({ failures }) =>
    subjectNames.flatMap((subject) => {
      const reason = failures.get(subject)
      return reason === undefined ? [] : [`${bench}: ${subject} failed: ${reason}`]
    })
  )

/** Whether the run fails: a goal missed by more than a quarter, or nothing to compare with it. */
export const isFailure = ({ verdict }: Result): boolean => verdict === "MISSED" || verdict === "FAILED"
