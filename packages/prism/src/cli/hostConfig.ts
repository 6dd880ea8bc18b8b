/** `--host <file>`: the module of a host, read as the config of its agent. */
import type { AgentConfig } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { createAgent } from "../createAgent.ts"
import { CliFailure, messageOf } from "./CliFailure.ts"
import { type CliOptions, CliUsageError } from "./CliOptions.ts"

/**
 * Imports the module and, if its default export is a function, calls it with the options. `--model` and `--system` replace
 * what the config says. Fails with `CliUsageError` when there is no such file, else with one line that names the file.
 */
export const hostConfig = Effect.fnUntraced(function* (file: string, cwd: string, options: CliOptions) {
  const path = resolve(cwd, file)
  yield* Effect.tryPromise({
    try: () => stat(path),
    catch: () => new CliUsageError({ message: `Host module not found: ${file}` })
  })
  const given = yield* Effect.tryPromise({
    try: async (): Promise<unknown> => {
      const module: { readonly default?: unknown } = await import(pathToFileURL(path).href)
      return typeof module.default === "function" ? await module.default(options) : module.default
    },
    catch: (error) => refused(file, messageOf(error), error)
  })
  return yield* Effect.try({
    try: () => readConfig(given, options),
    catch: (error) => refused(file, messageOf(error), error)
  })
})

/** Throws what is wrong with it: what is read here is a host's object, which may throw by itself. */
const readConfig = (given: unknown, options: CliOptions): AgentConfig => {
  const problem = problemOf(given)
  if (problem !== undefined) throw new TypeError(problem)
  // Judged just above, as far as an agent does not judge it.
  const config = withOptions(given as AgentConfig, options)
  createAgent(config)
  return config
}

const refused = (file: string, problem: string, cause?: unknown): CliFailure =>
  new CliFailure({ message: `Host module ${file}: ${problem}`, cause })

const problemOf = (given: unknown): string | undefined => {
  if (!isRecord(given)) {
    return `the default export must be an AgentConfig, or a function that returns one, not ${described(given)}`
  }
  const { provider, providerSource } = given
  const hasProvider = isRecord(provider) && typeof provider["generate"] === "function"
  return hasProvider || typeof providerSource === "function"
    ? undefined
    : "the config has neither provider nor providerSource"
}

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const described = (value: unknown): string =>
  value === undefined ? "nothing" : value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`

const withOptions = (config: AgentConfig, { model, system }: CliOptions): AgentConfig => ({
  ...config,
  ...(model !== undefined && { model: { ...config.model, model } }),
  ...(system !== undefined && { instructions: system })
})
