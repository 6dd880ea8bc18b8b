/** The options of a connection, from the file that the command line names. */
import * as Effect from "effect/Effect"
import { readFile, stat } from "node:fs/promises"
import { pathToFileURL } from "node:url"
import { CliFailure, messageOf } from "../CliFailure.ts"
import { CliUsageError } from "../CliOptions.ts"

export interface McpConfig {
  readonly [option: string]: unknown
}

/**
 * A `.json` file is read, anything else is imported for its default export. Fails with `CliUsageError` where there is no such
 * file, else with one line that names it. The options themselves are judged by `connectMcpTools`.
 */
export const readMcpConfig = Effect.fnUntraced(function* (file: string, path: string) {
  const isFile = yield* Effect.promise(() =>
    stat(path).then(
      (stats) => stats.isFile(),
      () => false
    )
  )
  if (!isFile) return yield* new CliUsageError({ message: `MCP config not found: ${file}` })
  const given = yield* Effect.tryPromise({
    try: async (): Promise<unknown> => {
      if (path.endsWith(".json")) return JSON.parse(await readFile(path, "utf8"))
      const module: { readonly default?: unknown } = await import(pathToFileURL(path).href)
      return module.default
    },
    catch: (error) => new CliFailure({ message: `MCP config ${file}: ${messageOf(error)}`, cause: error })
  })
  const problem = problemOf(given, path.endsWith(".json") ? "the file" : "the default export")
  if (problem === undefined) return given as McpConfig
  return yield* new CliFailure({ message: `MCP config ${file}: ${problem}` })
})

const problemOf = (given: unknown, what: string): string | undefined => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return `${what} must be an object`
  if ("mcpServers" in given) return "it describes several servers; name one: { serverId, transport: { type, … } }"
  return "signal" in given ? "signal must not be set: the command has its own" : undefined
}
