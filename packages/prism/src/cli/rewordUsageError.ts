/** The documented words for what `effect/cli` refuses. */
import * as CliError from "effect/cli/CliError"
import { CliUsageError } from "./CliOptions.ts"

/** Documented flags of modes that this version does not have. */
const LATER: ReadonlySet<string> = new Set([
  "--discover",
  "--discover-kinds",
  "--no-discovery",
  "--agents-config",
  "--instruction",
  "--injector-file",
  "--no-agents-md",
  "--no-system-md",
  "--agents-md-file",
  "--system-md-file"
])

export const unavailable = (what: string): CliUsageError =>
  new CliUsageError({ message: `${what} is not available in this version` })

/** The message for the first thing that is wrong. `argv` tells which spelling of a flag was used. */
export const rewordUsageError = (refused: CliError.CliError, argv: ReadonlyArray<string>): string => {
  const error = refused instanceof CliError.ShowHelp ? (refused.errors[0] ?? refused) : refused
  if (error instanceof CliError.UnrecognizedOption) {
    return LATER.has(error.option) ? unavailable(error.option).message : `Unknown flag: ${error.option}`
  }
  if (error instanceof CliError.UnexpectedArgument) return `Unexpected argument: ${error.arguments[0]}`
  if (error instanceof CliError.UnknownSubcommand && error.parent?.length === 1) {
    return `Unexpected argument: ${error.subcommand}`
  }
  if (error instanceof CliError.ShowHelp) return `Missing subcommand for "${error.commandPath.join(" ")}"`
  return error instanceof CliError.InvalidValue ? rewordValue(error, argv) : error.message
}

const rewordValue = ({ expected, option, value }: CliError.InvalidValue, argv: ReadonlyArray<string>): string => {
  if (expected === "at most 1 value") return `--${option} may be given only once`
  if (value === "") return `Missing value for ${withoutValue(option, argv)}`
  if (option !== "mode") return `Invalid value for --${option}: ${value}`
  return value === "rpc" ? unavailable("--mode rpc").message : `Invalid mode: ${value}`
}

/** The flag as typed where its value is missing. */
const withoutValue = (option: string, argv: ReadonlyArray<string>): string => {
  const long = `--${option}`
  const typed = argv.find((arg, at) => {
    if (arg !== long && !(arg === "-p" && option === "prompt")) return false
    const next = argv[at + 1]
    return next === undefined || next.startsWith("--")
  })
  return typed ?? long
}
