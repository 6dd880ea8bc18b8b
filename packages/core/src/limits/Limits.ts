/** The one way a numeric bound is declared and resolved. Every package builds its tables with `define`. */
import * as Result from "effect/Result"
import { LimitError } from "../errors/LimitError.ts"

/** A bound on one quantity. `default` and `hardCap` are positive safe integers, `default <= hardCap`; no default means no bound. */
export interface Limit {
  readonly unit: "count" | "bytes" | "milliseconds" | "tokens"
  readonly default?: number
  readonly hardCap: number
}

/** The bounds of a resolved table; absent ones are not bounded. */
export type ValuesOf<Table extends Record<string, Limit>> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly default: number } ? number : number | undefined
}
type InputOf<Table extends Record<string, Limit>> = { readonly [Name in keyof Table]?: number | undefined }

export const isWithin = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 1 && value <= max

export const define = <const Table extends Record<string, Limit>>(table: Table) => {
  /**
   * Absent names take the outer scope's value, else the default. A name that is not in the table, or a value that is out of
   * range, fails; nothing is clamped or rounded. An inner scope may only narrow: a wider value takes the outer one.
   */
  const resolve = (input: InputOf<Table> = {}, outer?: InputOf<Table>): Result.Result<ValuesOf<Table>, LimitError> => {
    for (const limit of Object.keys(input)) {
      if (!Object.hasOwn(table, limit))
        return Result.fail(new LimitError({ limit, value: input[limit], max: undefined }))
    }
    const values: Record<string, number | undefined> = {}
    for (const [limit, { default: fallback, hardCap }] of Object.entries<Limit>(table)) {
      const given = input[limit]
      if (given !== undefined && !isWithin(given, hardCap)) {
        return Result.fail(new LimitError({ limit, value: given, max: hardCap }))
      }
      const bound = outer?.[limit]
      values[limit] = given === undefined ? (bound ?? fallback) : bound === undefined ? given : Math.min(given, bound)
    }
    return Result.succeed(values as ValuesOf<Table>)
  }
  return { table, resolve }
}
