/** The `shell` tool: one command, its output cut to its end, nothing of it left where it did not end by itself. */
import type { ExecutionPolicy, JsonObject, ToolDefinition, ToolExecutionContext, ToolResult } from "@arnilo/prism-core"
import { CodingToolsLimits, isWithin, outOfRange, resolveLimit } from "../CodingToolsLimits.ts"
import { refuseUnknownOptions } from "../knownOptions.ts"
import { authorize } from "./authorize.ts"
import {
  type BashOperations,
  type BashSpawnContext,
  type BashSpawnHook,
  createLocalBashOperations
} from "./BashOperations.ts"
import { OutputAccumulator, type OutputBounds } from "./OutputAccumulator.ts"
import { failure, messageOf, ToolFailure } from "./results.ts"
import { type CommandEnd, execCommand } from "./shell/execCommand.ts"
import { nonInteractive } from "./shell/nonInteractive.ts"
import { shellResult } from "./shell/shellResult.ts"

export interface ShellToolOptions {
  /** Asked with the command as it will run. */
  executionPolicy?: ExecutionPolicy | undefined
  /** Replaces the local backend whole. */
  operations?: BashOperations | undefined
  /** Instead of `$SHELL`, `/bin/bash` or `sh`. Local backend only. */
  shellPath?: string | undefined
  /** A line before every command. */
  commandPrefix?: string | undefined
  /** Gets command, directory and environment, the variables that tell programs not to ask included; what it sets wins. */
  spawnHook?: BashSpawnHook | undefined
  /** Lines and bytes of output in the result: the last ones. */
  maxLines?: number | undefined
  maxBytes?: number | undefined
  /** Seconds, when a call names none. */
  timeout?: number | undefined
  /** Bytes of output after which the command is killed. */
  maxTotalOutputBytes?: number | undefined
  /** Begins the name of the file that holds output too long for the result; `prism-shell` by default. */
  tempFilePrefix?: string | undefined
}

interface ShellSettings extends OutputBounds {
  readonly cwd: string
  readonly timeout: number
  readonly operations: BashOperations
  readonly options: ShellToolOptions
}

const NAME = "shell"
const NO_COMMAND = "command is required and must be a non-empty string."

const parameters = {
  type: "object",
  properties: {
    command: { type: "string", description: "The command to run" },
    timeout: { type: "number", description: "Seconds after which the command is killed" }
  },
  required: ["command"],
  additionalProperties: false
} as const

/**
 * A tool that runs commands in `cwd`. Throws a `TypeError` for unknown options, a `RangeError` for limits out of range and an `Error` for a prefix that is no
 * part of a file name. Its limits bound resources only: what may run is for the execution policy to say, and a result
 * without `error` does not mean that the command succeeded.
 *
 * After a timeout, an abort, too much output or a failure, every process of the command that can be found is killed. After a
 * normal end what it left in the background lives on and is named in the result; its output goes nowhere any more.
 * The file named in `metadata.fullOutputPath` is the host's to delete.
 */
export const createShellTool = (cwd: string, options: ShellToolOptions = {}): ToolDefinition => {
  const settings = resolveSettings(cwd, options)
  return {
    name: NAME,
    description: describe(settings),
    parameters,
    exclusive: true,
    execute: (args, context) => execute(settings, args, context)
  }
}

const KNOWN = {
  executionPolicy: true,
  operations: true,
  shellPath: true,
  commandPrefix: true,
  spawnHook: true,
  maxLines: true,
  maxBytes: true,
  timeout: true,
  maxTotalOutputBytes: true,
  tempFilePrefix: true
} as const

const resolveSettings = (cwd: string, options: ShellToolOptions): ShellSettings => {
  refuseUnknownOptions("The shell tool", options, KNOWN)
  const settings = {
    cwd,
    options,
    maxLines: resolveLimit("maxLines", options.maxLines),
    maxBytes: resolveLimit("maxBytes", options.maxBytes),
    timeout: resolveLimit("timeout", options.timeout),
    maxTotalOutputBytes: resolveLimit("maxTotalOutputBytes", options.maxTotalOutputBytes),
    tempFilePrefix: options.tempFilePrefix ?? "prism-shell",
    operations: options.operations ?? createLocalBashOperations({ shellPath: options.shellPath })
  }
  if (settings.maxTotalOutputBytes < settings.maxBytes) {
    throw new RangeError("maxTotalOutputBytes must be at least maxBytes")
  }
  if (typeof settings.tempFilePrefix !== "string" || !/^[A-Za-z0-9._-]+$/.test(settings.tempFilePrefix)) {
    throw new Error("tempFilePrefix may contain only letters, numbers, dot, underscore, and hyphen")
  }
  return settings
}

const describe = ({ maxLines, maxBytes, timeout }: ShellSettings): string =>
  `Run a shell command in the working directory; stdout and stderr come back together. There is no input and no terminal: \
prompts get an end of file, pagers print, editors fail. The last ${maxLines} lines or ${maxBytes / 1024} KiB are shown; \
longer output is saved to a file that the result names. Killed after ${timeout} seconds unless timeout says otherwise.`

const execute = async (
  settings: ShellSettings,
  args: JsonObject,
  context: ToolExecutionContext
): Promise<ToolResult> => {
  try {
    const { command } = args
    if (typeof command !== "string" || command === "") {
      return failure(NAME, context, NO_COMMAND, { text: `Error: ${NO_COMMAND}` })
    }
    // The system takes none: nobody is asked about what cannot run.
    if (command.includes("\0")) throw new ToolFailure("command must not contain a NUL character.")
    const timeout = timeoutOf(settings, args["timeout"])
    if (context.signal?.aborted === true) return await run(settings, undefined, timeout, context)
    const planned = plan(settings, command)
    return await run(settings, await permit(settings, planned, timeout, context), timeout, context)
  } catch (error) {
    return failure(NAME, context, messageOf(error))
  }
}

/** What is no number is ignored: a model may write a word there. */
const timeoutOf = (settings: ShellSettings, requested: unknown): number => {
  if (typeof requested !== "number") return settings.timeout
  const bound = CodingToolsLimits.timeout
  if (!isWithin(requested, bound)) throw new ToolFailure(outOfRange("timeout", bound))
  return requested
}

/** What would run, and is shown to the policy. */
const plan = ({ cwd, options: { commandPrefix, spawnHook } }: ShellSettings, command: string): BashSpawnContext => {
  const planned = {
    command: commandPrefix === undefined || commandPrefix === "" ? command : `${commandPrefix}\n${command}`,
    cwd,
    env: { ...process.env, ...nonInteractive }
  }
  if (spawnHook === undefined) return planned
  const hooked: unknown = spawnHook(planned)
  if (!isSpawnContext(hooked)) throw new ToolFailure("spawnHook must return { command, cwd, env }")
  return { command: hooked.command, cwd: hooked.cwd, env: hooked.env }
}

const isSpawnContext = (value: unknown): value is BashSpawnContext => {
  if (typeof value !== "object" || value === null) return false
  const { command, cwd, env } = value as Partial<BashSpawnContext>
  return (
    typeof command === "string" && command !== "" && typeof cwd === "string" && typeof env === "object" && env !== null
  )
}

const permit = async (
  { options }: ShellSettings,
  planned: BashSpawnContext,
  timeout: number,
  { sessionId, runId, signal }: ToolExecutionContext
): Promise<BashSpawnContext> => {
  const { command } = await authorize(options.executionPolicy, {
    kind: "shell",
    operation: "execute",
    paths: [planned.cwd],
    command: planned.command,
    risk: "high",
    metadata: { timeout, sessionId, runId, signal }
  })
  if (typeof command !== "string" || command === "") throw new ToolFailure("Execution policy left no command to run")
  return { ...planned, command }
}

/** Runs nothing when the call is aborted by now. */
const run = async (
  settings: ShellSettings,
  spawn: BashSpawnContext | undefined,
  timeout: number,
  context: ToolExecutionContext
): Promise<ToolResult> => {
  const output = new OutputAccumulator(settings)
  try {
    const { operations } = settings
    const { signal } = context
    const aborted: CommandEnd = { exitCode: null, problem: "aborted", background: [] }
    const end =
      spawn === undefined || signal?.aborted === true
        ? aborted
        : await execCommand({ operations, spawn, timeout, signal, output })
    return shellResult(context, { ...settings, timeout }, output, end)
  } catch (error) {
    output.discard()
    throw error
  }
}
