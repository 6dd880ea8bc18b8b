/** The command line as `effect/cli` reads it: every flag, help, version and completions. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { createRequire } from "node:module"
import { type CliOptions, cliOptions, CliUsageError, MAX_TOOL_ROUNDS } from "./CliOptions.ts"
import { mcpCommand } from "./mcp/mcpCommand.ts"
import type { McpCommand } from "./mcp/McpInvocation.ts"
import { rewordUsageError, unavailable } from "./rewordUsageError.ts"

const text = (flag: string, metavar: string, description: string) =>
  Flag.String(flag).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

/** A name is not empty: that it was given with no value says the same. */
const named = (flag: string, metavar: string, description: string) =>
  text(flag, metavar, description).pipe(
    Flag.filter(
      (value) => value !== "",
      () => "a value"
    ),
    Flag.optional
  )

const texts = (flag: string, metavar: string, description: string) =>
  text(flag, metavar, description).pipe(Flag.atLeast(0))

/** Digits alone: what JavaScript also takes for a number, such as `1e3` or nothing at all, is refused. */
const count = (flag: string, description: string, max = Number.MAX_SAFE_INTEGER) =>
  text(flag, "<n>", description).pipe(
    Flag.filterMap(
      (value) => (/^\d+$/.test(value) && Number(value) <= max ? Option.some(Number(value)) : Option.none()),
      () => "a whole number"
    ),
    Flag.optional
  )

const flags = {
  prompt: text("prompt", "<text>", "What the agent is asked").pipe(Flag.withAlias("p"), Flag.optional),
  mode: Flag.Literals("mode", ["print", "json"]).pipe(
    Flag.withDescription("Text alone, or one event per line"),
    Flag.withDefault("print" as const)
  ),
  provider: named("provider", "<name>", "A built-in provider: mock"),
  model: named("model", "<name>", "The model, instead of the host's"),
  session: named("session", "<id>", "The session to begin or go on with"),
  system: text("system", "<text>", "The agent's instructions, instead of the host's").pipe(Flag.optional),
  maxToolRounds: count("max-tool-rounds", "Turns whose tool calls are run: 0 to 64", MAX_TOOL_ROUNDS),
  host: named("host", "<file>", "A module whose default export is an AgentConfig, or a function that returns one"),
  context: texts("context", "<text>", "Recorded for hosts; repeatable"),
  compact: count("compact", "Recorded for hosts: entries above which history is compacted, 0 for never"),
  config: texts("config", "<v>", "Recorded for hosts; repeatable"),
  resource: texts("resource", "<v>", "Recorded for hosts; repeatable"),
  extension: texts("extension", "<v>", "Recorded for hosts; repeatable"),
  tool: texts("tool", "<v>", "Recorded for hosts; repeatable")
}

type Given = { readonly [Name in keyof typeof flags]: (typeof flags)[Name] extends Flag.Flag<infer A> ? A : never }

/** Flags of our own that take a value, as they may be typed. */
const TAKES_VALUE: ReadonlySet<string> = new Set([
  "-p",
  ...Object.keys(flags).map((name) => `--${name === "maxToolRounds" ? "max-tool-rounds" : name}`)
])

/**
 * Reads the arguments of a run, without the node executable and the script. Throws `CliUsageError`, also for `prism mcp`,
 * which runs no agent; touches no file, terminal or process.
 */
export const parseCliArgs = (argv: ReadonlyArray<string>): CliOptions => {
  const read = Result.getOrThrow(Effect.runSync(Effect.result(readAllArgs(argv))))
  if ("mcp" in read) throw new CliUsageError({ message: "prism mcp runs no agent" })
  return read
}

/** The same as an Effect, and `prism mcp` besides. */
export const readAllArgs = (argv: ReadonlyArray<string>): Effect.Effect<CliOptions | McpCommand, CliUsageError> =>
  Effect.suspend(() => {
    const [first] = argv
    if (first === "init" || first === "providers") return Effect.fail(unavailable(`prism ${first}`))
    let options: CliOptions | McpCommand = cliOptions({})
    const command = Command.make("prism", flags, (given) =>
      Effect.map(checked(given), (read) => void (options = read))
    ).pipe(
      Command.withDescription("Runs an agent once, with one prompt"),
      Command.withSubcommands([mcpCommand((mcp) => void (options = { mcp }))])
    )
    const read = Command.runWith(command, { version: packageVersion(), renderErrors: false })(joinValues(argv)).pipe(
      Effect.provideService(CliConfig.CliConfig, {
        builtIns: informing((information) => void (options = cliOptions({ information })))
      }),
      // Errors are presented as help too; only what was asked for is kept.
      Effect.provideService(CliOutput.Presenter, { present: () => Effect.void }),
      Effect.mapError((error) =>
        error instanceof CliUsageError ? error : new CliUsageError({ message: rewordUsageError(error, argv) })
      ),
      Effect.map(() => options)
    )
    // Flags of text and choices ask nothing of the services that effect/cli names.
    return read as Effect.Effect<CliOptions | McpCommand, CliUsageError>
  })

const plain = (value: unknown): unknown => (Option.isOption(value) ? Option.getOrUndefined(value) : value)

const checked = ({ mode, ...given }: Given): Effect.Effect<CliOptions, CliUsageError> => {
  // The flags are named after the options, and have their types.
  const options = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, plain(value)])
  ) as Partial<CliOptions>
  if (options.prompt === undefined || options.prompt.trim() === "") {
    return Effect.fail(new CliUsageError({ message: "Missing prompt: use -p or --prompt" }))
  }
  if (options.provider !== undefined && options.host !== undefined) {
    const message = "--provider and --host exclude each other: the host's config names its provider"
    return Effect.fail(new CliUsageError({ message }))
  }
  return Effect.succeed(cliOptions({ ...options, mode }))
}

/**
 * `--flag value` as `--flag=value`: a value may begin with a dash, which effect/cli would take for flags. One that begins
 * with two dashes is a missing value.
 */
const joinValues = (argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joined: Array<string> = []
  for (let at = 0; at < argv.length; at++) {
    const arg = argv[at] ?? ""
    if (arg === "--") return [...joined, ...argv.slice(at)]
    const value = argv[at + 1]
    if (TAKES_VALUE.has(arg) && value !== undefined && !value.startsWith("--")) {
      joined.push(`${arg}=${value}`)
      at++
    } else joined.push(arg)
  }
  return joined
}

/** Help, version and completions alone: no wizard, and no log level, since the command logs nothing. */
const informing = (show: (information: string) => void): ReadonlyArray<GlobalFlag.BuiltIn> => [
  GlobalFlag.Action({
    flag: question("help", "Show this help").pipe(Flag.withAlias("h")),
    run: (_, context) =>
      GlobalFlag.Help.run(true, context).pipe(
        Effect.provideService(CliOutput.Presenter, {
          present: (event) =>
            Effect.sync(() => show("helpDoc" in event ? `${formatter.formatHelpDoc(event.helpDoc)}\n` : ""))
        })
      )
  }),
  GlobalFlag.Action({
    flag: question("version", "Show the version"),
    run: (_, { version }) => Effect.sync(() => show(`${formatter.formatVersion("prism", version)}\n`))
  }),
  GlobalFlag.Action<Option.Option<Completions.Shell>>({
    flag: Flag.Literals("completions", ["bash", "zsh", "fish"]).pipe(
      Flag.withDescription("Show a completion script for the shell"),
      Flag.optional
    ),
    run: (shell, { command }) =>
      Effect.sync(() => {
        if (Option.isSome(shell))
          show(`${Completions.generate("prism", shell.value, Completions.fromCommand(command))}\n`)
      })
  })
]

const formatter = CliOutput.defaultFormatter({ colors: false })

const question = (flag: string, description: string) =>
  Flag.Boolean(flag).pipe(Flag.withoutNegation, Flag.withDescription(description), Flag.withDefault(false))

/** Asked for by name, so that it is found from the sources, from `dist` and from the bundle. */
const packageVersion = (): string => {
  const manifest: unknown = createRequire(import.meta.url)("@arnilo/prism/package.json")
  return (manifest as { readonly version: string }).version
}
