/** The `prism` command without its process: arguments in, text and an exit code out. */
import { toPromise } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import { type CliFailure, toCliFailure } from "./CliFailure.ts"
import { type CliOptions, type CliUsageError, MCP_USAGE, USAGE } from "./CliOptions.ts"
import type { CliRuntime } from "./CliRuntime.ts"
import { openSession } from "./openSession.ts"
import type { McpCommand } from "./mcp/McpInvocation.ts"
import { Output, type OutputError } from "./Output.ts"
import { readPlainArgs } from "./readPlainArgs.ts"
import { failureLine, writeRun } from "./writeRun.ts"

/**
 * Runs one invocation; `argv` is without the node executable and the script. Never rejects: resolves with the exit code once
 * the run has settled and everything is written. 0: done; 1: failed; 2: wrong usage; 130 and 143: aborted by the signal;
 * 141: the reader of stdout left, so the run was aborted.
 */
export const runCli = (argv: ReadonlyArray<string>, runtime: CliRuntime): Promise<number> =>
  toPromise(Effect.runPromiseExit, runCommand(argv, runtime))

const runCommand = Effect.fnUntraced(function* (argv: ReadonlyArray<string>, runtime: CliRuntime) {
  const stdout = new Output(runtime.stdout)
  const stderr = new Output(runtime.stderr)
  const tell = (text: string, code: number) => Effect.as(Effect.ignore(stderr.write(text)), code)
  const code = yield* readOptions(argv).pipe(
    Effect.flatMap((read) =>
      "mcp" in read ? inspect(read, runtime, stdout, stderr) : runInvocation(read, runtime, stdout, stderr)
    ),
    Effect.tap(stdout.flush),
    Effect.catchTags({
      CliUsageError: ({ message }) => tell(`${message}\n\n${argv[0] === "mcp" ? MCP_USAGE : USAGE}`, 2),
      OutputError: (error) =>
        error.isClosed ? Effect.succeed(interruption(runtime) ?? 141) : tell(`${error.message}\n`, 1)
    })
  )
  yield* Effect.ignore(stderr.flush)
  stdout.release()
  stderr.release()
  return code
})

/** The everyday flags are read here; whatever else is there needs the parser, which takes longer to load than a run takes. */
const readOptions = (argv: ReadonlyArray<string>): Effect.Effect<CliOptions | McpCommand, CliUsageError> => {
  const plain = readPlainArgs(argv)
  if (plain !== undefined) return Effect.succeed(plain)
  return Effect.flatMap(
    Effect.promise(() => import("./parseCliArgs.ts")),
    ({ readAllArgs }) => readAllArgs(argv)
  )
}

/** Loaded when it is asked for, as the package that it needs. */
const inspect = (
  { mcp }: McpCommand,
  runtime: CliRuntime,
  stdout: Output,
  stderr: Output
): Effect.Effect<number, CliUsageError | OutputError> =>
  Effect.promise(() => import("./mcp/runMcp.ts")).pipe(
    Effect.flatMap(({ runMcp }) => runMcp(mcp, runtime, stdout, stderr)),
    Effect.catchTag("CliFailure", ({ message }) =>
      Effect.map(Effect.ignore(stderr.write(`${message}\n`)), () => interruption(runtime) ?? 1)
    )
  )

const runInvocation = (
  options: CliOptions,
  runtime: CliRuntime,
  stdout: Output,
  stderr: Output
): Effect.Effect<number, CliUsageError | OutputError> => {
  const { information, mode } = options
  if (information !== undefined) return Effect.as(stdout.write(information), 0)
  const onFailure = (failure: CliFailure) => {
    const line = failureLine(failure, mode)
    const told = mode === "json" ? stdout.write(line) : Effect.ignore(stderr.write(line))
    return Effect.map(told, () => interruption(runtime) ?? 1)
  }
  const onSuccess = (unanswered: number) =>
    unanswered === 0 ? Effect.succeed(0) : Effect.as(Effect.ignore(stderr.write(roundsLine(unanswered))), 0)
  return Effect.catchTag(Effect.flatMap(runPrompt(options, runtime, stdout), onSuccess), "CliFailure", onFailure)
}

const runPrompt = Effect.fnUntraced(function* (options: CliOptions, runtime: CliRuntime, stdout: Output) {
  const { maxToolRounds, mode, prompt = "" } = options
  const session = yield* openSession(options, runtime, stdout)
  // No event may be lost, so the queue has no bound of its own: `pacedConfig` bounds what gets there.
  const maxQueuedEvents = Number.MAX_SAFE_INTEGER
  const runOptions = { signal: runtime.signal, maxToolRounds, maxQueuedEvents }
  const events = yield* Effect.try({ try: () => session.stream(prompt, runOptions), catch: toCliFailure })
  return yield* writeRun(events, mode, stdout)
})

const roundsLine = (calls: number): string =>
  `${calls} tool ${calls === 1 ? "call was" : "calls were"} not run: no tool round is left (--max-tool-rounds)\n`

/** 128 and the signal's number, as a shell would say. */
const interruption = ({ signal }: CliRuntime): number | undefined =>
  signal?.aborted !== true ? undefined : signal.reason === "SIGTERM" ? 143 : 130
