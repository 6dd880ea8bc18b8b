/** The session that a command line asks for. */
import {
  type AgentConfig,
  type AgentSessionPort,
  createMockProvider,
  providerDone,
  providerTextDelta
} from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import { createAgent } from "../createAgent.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { type CliOptions, CliUsageError } from "./CliOptions.ts"
import type { Output } from "./Output.ts"
import { pacedConfig } from "./pacedConfig.ts"
import type { CliRuntime } from "./CliRuntime.ts"
import { untilAborted } from "./untilAborted.ts"

const HINT = "Use --provider mock, or --host <file> for a module with your own AgentConfig."

/** Reads no environment variable, and no file but the one that `--host` names. */
export const openSession = Effect.fnUntraced(function* (options: CliOptions, runtime: CliRuntime, output: Output) {
  const { createSession } = runtime
  if (createSession !== undefined) return yield* attempt(() => createSession(options))
  const config = yield* options.host === undefined ? builtIn(options) : fromHost(options.host, options, runtime)
  return yield* attempt((): AgentSessionPort =>
    createAgent(pacedConfig(config, output)).createSession({ id: options.session })
  )
})

const attempt = <A>(make: () => A): Effect.Effect<A, CliFailure> => Effect.try({ try: make, catch: toCliFailure })

const builtIn = ({ provider, model = "mock", system }: CliOptions): Effect.Effect<AgentConfig, CliUsageError> => {
  if (provider === undefined) return Effect.fail(new CliUsageError({ message: `No provider configured. ${HINT}` }))
  if (provider !== "mock") return Effect.fail(new CliUsageError({ message: `Unknown provider: ${provider}. ${HINT}` }))
  return Effect.succeed({
    model: { provider, model },
    provider: createMockProvider([providerTextDelta("Hello"), providerDone()]),
    instructions: system
  })
}

const fromHost = Effect.fnUntraced(function* (file: string, options: CliOptions, { cwd, signal }: CliRuntime) {
  // Loaded when it is needed: the everyday start does without.
  const { hostConfig } = yield* Effect.promise(() => import("./hostConfig.ts"))
  const config = hostConfig(file, cwd ?? process.cwd(), options)
  // A module that never finishes loading is given up when the command is to end.
  return yield* untilAborted(config, signal, "Aborted before the run began")
})
