/** The table that a run prints. */
import type { Result, Verdict } from "./evaluate.ts"

/** Three significant digits, without an exponent. */
const digits = (value: number): string => {
  if (Number.isNaN(value)) return "-"
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return value.toPrecision(3)
}

const amount = (value: number, unit: string): string => (Number.isNaN(value) ? "-" : `${digits(value)} ${unit}`)

const disagreement = ({ own, verdict }: Result): string =>
  own.verdict === verdict ? "" : ` (own goal: ${own.verdict})`

const header = ["work", "bare", "prism", "pi", "own", "at most", "x pi", "at most", "verdict"]

const cells = (result: Result, piAbsence: string): ReadonlyArray<string> => {
  const { bench, name, own, pi, unit, values } = result
  return [
    `${bench} ${name}`,
    amount(values.bare, unit),
    amount(values.prism, unit),
    pi !== undefined && Number.isNaN(values.pi) ? piAbsence : amount(values.pi, unit),
    digits(own.figure),
    `${own.atMost} ${own.unit}`,
    pi === undefined ? "-" : digits(pi.figure),
    pi === undefined ? "-" : `${pi.atMost}`,
    result.verdict + disagreement(result)
  ]
}

/** Markdown, aligned for a terminal. `piAbsence` stands where a figure of pi is missing. */
export const formatTable = (results: ReadonlyArray<Result>, piAbsence: string): string => {
  const lines = [header, ...results.map((result) => cells(result, piAbsence))]
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const isText = (column: number): boolean => column === 0 || column === header.length - 1
  const print = (line: ReadonlyArray<string>): string =>
    `| ${line
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join(" | ")} |`
  const rule = widths.map((width, column) => (isText(column) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`))
  return [print(header), print(rule), ...lines.slice(1).map(print)].join("\n")
}

/** One line: how many goals are reached, within the noise, and missed. */
export const formatSummary = (results: ReadonlyArray<Result>): string => {
  const count = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length
  return `${count("ok")} ok, ${count("within noise")} within noise, ${count("MISSED")} missed, ${count("FAILED")} failed`
}
