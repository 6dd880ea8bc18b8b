/** `--host <file>`: the module of a host, read as the config of its agent. */
import type { AgentConfig } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
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
    catch: (error) => refused(file, error instanceof Error ? error.message : String(error))
  })
  const problem = problemOf(given)
  if (problem !== undefined) return yield* Effect.fail(refused(file, problem))
  // Judged just above; the session judges the rest of its fields.
  return withOptions(given as AgentConfig, options)
})

const refused = (file: string, problem: string): Error => new Error(`Host module ${file}: ${problem}`)

const problemOf = (given: unknown): string | undefined => {
  if (!isRecord(given)) {
    return `the default export must be an AgentConfig, or a function that returns one, not ${described(given)}`
  }
  const { model, provider, providerSource } = given
  if (!isRecord(model) || typeof model["provider"] !== "string" || typeof model["model"] !== "string") {
    return "the config has no model with a provider and a model name"
  }
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
