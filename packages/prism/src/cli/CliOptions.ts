/** What the command line asks for, and how a wrong one is refused. */
import * as Data from "effect/Data"

/** A command line that was read. What is absent was not given. */
export interface CliOptions {
  /** `print` writes the assistant's text, `json` one event per line. */
  readonly mode: "print" | "json"
  readonly prompt?: string | undefined
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly session?: string | undefined
  readonly system?: string | undefined
  readonly maxToolRounds?: number | undefined
  /** Path of the host module, as given. */
  readonly host?: string | undefined
  /** Branch length above which history is compacted, 0 for never. Recorded for hosts. */
  readonly compact?: number | undefined
  /** Recorded for hosts, in the order given, as are the four lists below. The command itself reads none of them. */
  readonly context: ReadonlyArray<string>
  readonly config: ReadonlyArray<string>
  readonly resource: ReadonlyArray<string>
  readonly extension: ReadonlyArray<string>
  readonly tool: ReadonlyArray<string>
  /** What `--help`, `--version` or `--completions` writes. Nothing is run then. */
  readonly information?: string | undefined
}

/** The command line is wrong: exit code 2. */
export class CliUsageError extends Data.TaggedError("CliUsageError")<{ readonly message: string }> {}

/** What stderr shows below the message of a `CliUsageError`. */
export const USAGE = `Usage: prism -p <text> (--provider mock | --host <file>) [flags]
Run prism --help for all flags.
`

export const MCP_USAGE = `Usage: prism mcp list|call|check <config> [flags]
Run prism mcp --help for more.
`

/** Options with what was not given left out, so that equal command lines give equal options. */
export const cliOptions = (given: Partial<CliOptions>): CliOptions => {
  const options = { mode: "print" as const, context: [], config: [], resource: [], extension: [], tool: [] }
  return Object.assign(options, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))
}

/** The most that the kernel's limit of the same name allows. */
export const MAX_TOOL_ROUNDS = 64
