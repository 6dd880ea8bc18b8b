/** The short way from arguments to options, for the everyday command lines: it loads no parser. */
import { type CliOptions, cliOptions, MAX_TOOL_ROUNDS } from "./CliOptions.ts"

const FLAGS = new Map<string, keyof CliOptions>([
  ["-p", "prompt"],
  ["--prompt", "prompt"],
  ["--mode", "mode"],
  ["--provider", "provider"],
  ["--model", "model"],
  ["--session", "session"],
  ["--system", "system"],
  ["--max-tool-rounds", "maxToolRounds"]
])

/**
 * The options, if the list is nothing but the flags above, each at most once and followed by an ordinary value; else
 * `undefined`. Refuses nothing: a list that it does not know is for `parseCliArgs`, which reads this kind alike.
 */
export const readPlainArgs = (argv: ReadonlyArray<string>): CliOptions | undefined => {
  const values = new Map<string, string>()
  for (let at = 0; at < argv.length; at += 2) {
    const name = FLAGS.get(argv[at] ?? "")
    const value = argv[at + 1]
    if (name === undefined || values.has(name) || value === undefined || !isOrdinary(value)) return undefined
    values.set(name, value)
  }
  const { mode = "print", maxToolRounds, ...texts } = Object.fromEntries(values)
  if ((mode !== "print" && mode !== "json") || (texts["prompt"] ?? "").trim() === "") return undefined
  if (maxToolRounds === undefined) return cliOptions({ ...texts, mode })
  const rounds = /^\d+$/.test(maxToolRounds) ? Number(maxToolRounds) : Number.NaN
  return rounds <= MAX_TOOL_ROUNDS ? cliOptions({ ...texts, mode, maxToolRounds: rounds }) : undefined
}

const isOrdinary = (value: string): boolean => value !== "" && !value.startsWith("-")
