/** The command line of `npm run bench`. */
import { parseArgs } from "node:util"

export interface Options {
  /** Ids of benches; all of them when empty. */
  readonly only: ReadonlyArray<string>
  /** Rounds of every bench; each has its own number without it. */
  readonly rounds: number | undefined
  /** Few and short rounds, whose figures are worth nothing: does everything still work? */
  readonly quick: boolean
  readonly json: boolean
}

export const usage = `usage: npm run bench -- [--only B1,B4] [--rounds N] [--quick] [--json]`

/** Throws for an unknown flag or bench, and for rounds that are no positive integer. */
export const parseOptions = (args: ReadonlyArray<string>, known: ReadonlyArray<string>): Options => {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      only: { type: "string" },
      rounds: { type: "string" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false }
    }
  })
  const only = (values.only ?? "").split(",").flatMap((id) => (id.trim() === "" ? [] : [id.trim().toUpperCase()]))
  const unknown = only.find((id) => !known.includes(id))
  if (unknown !== undefined) throw new Error(`no bench ${unknown}: there are ${known.join(", ")}`)
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  if (rounds !== undefined && !(Number.isSafeInteger(rounds) && rounds >= 1)) {
    throw new Error(`--rounds must be a positive integer, got ${values.rounds}`)
  }
  return { only, rounds, quick: values.quick, json: values.json }
}
