/** The `prism` command as functions, for hosts that offer it as a command of their own and for tests. */
export type { CliOptions } from "./CliOptions.ts"
export { CliUsageError } from "./CliOptions.ts"
export { parseCliArgs } from "./parseCliArgs.ts"
export { runCli } from "./runCli.ts"
export type { CliRuntime } from "./CliRuntime.ts"
