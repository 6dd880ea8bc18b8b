/** Runs `prism mcp list`, `call` and `check`: opens one connection, looks, closes it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { resolve } from "node:path"
import { CliFailure, messageOf } from "../CliFailure.ts"
import type { CliUsageError } from "../CliOptions.ts"
import type { CliRuntime } from "../CliRuntime.ts"
import type { Output, OutputError } from "../Output.ts"
import { callMcpTool } from "./callMcpTool.ts"
import { checkMcpServer } from "./checkMcpServer.ts"
import { listMcpTools } from "./listMcpTools.ts"
import type { McpInvocation } from "./McpInvocation.ts"
import { findMcpPackage, loadMcpPackage, type McpBridge, type McpPackage } from "./McpPackage.ts"
import { printable } from "./printable.ts"
import { type McpConfig, readMcpConfig } from "./readMcpConfig.ts"
import { untilAborted } from "../untilAborted.ts"

const toPrintable = <E extends CliFailure | CliUsageError | OutputError>(error: E): E | CliFailure =>
  error._tag === "CliFailure" ? new CliFailure({ message: printable(error.message), cause: error.cause }) : error

/**
 * Ends with the exit code, 0 or 1. Nothing of the connection is left then, however it ends. What a failure says may be the
 * server's words, wherever it comes from: it is fit for a terminal.
 */
export const runMcp = Effect.fnUntraced(function* (
  invocation: McpInvocation,
  runtime: CliRuntime,
  stdout: Output,
  stderr: Output
): Effect.fn.Return<number, CliFailure | CliUsageError | OutputError> {
  const cwd = runtime.cwd ?? process.cwd()
  // A config that is a module may need the package, too: that it is missing is said first.
  const manifest = yield* findMcpPackage(cwd)
  const config = yield* untilAborted(readMcpConfig(invocation.config, resolve(cwd, invocation.config)), runtime.signal)
  const mcp = yield* loadMcpPackage(manifest)
  // For whoever watches: where nobody does any more, the command goes on.
  const say = (line: string) => Effect.ignore(stderr.write(`${line}\n`))
  const start = performance.now()
  return yield* Effect.acquireUseRelease(
    open(mcp, config, invocation, runtime, say),
    (bridge) => {
      const openedMs = performance.now() - start
      return actions[invocation.action]({ invocation, runtime, config, mcp, bridge, openedMs, stdout, say })
    },
    (bridge, exit) =>
      Effect.andThen(
        Effect.promise(() => bridge.close()),
        // All of it has arrived by then.
        Effect.suspend(() => Effect.forEach(lastWords(bridge.health, exit), say))
      )
  )
}, Effect.mapError(toPrintable))

const actions = { list: listMcpTools, call: callMcpTool, check: checkMcpServer }

const open = (
  mcp: McpPackage,
  config: McpConfig,
  { config: file, timeoutMs }: McpInvocation,
  { signal }: CliRuntime,
  say: (line: string) => Effect.Effect<void>
): Effect.Effect<McpBridge, CliFailure> =>
  Effect.suspend(() => {
    /** Told only where the options were taken and the server was what failed. */
    let failed: OpenFailure | undefined
    const onEvent = (event: { readonly type: string }): void => {
      if (event.type === "mcp_open_failed") failed = event as OpenFailure
      if (typeof config["onEvent"] === "function") config["onEvent"](event)
    }
    const opened = Effect.tryPromise({
      try: () =>
        mcp.connectMcpTools({
          ...config,
          ...(timeoutMs !== undefined && { callTimeoutMs: timeoutMs }),
          // What is no function is the bridge's to refuse.
          onEvent: ["function", "undefined"].includes(typeof config["onEvent"]) ? onEvent : config["onEvent"],
          signal
        }),
      catch: (cause) => {
        const who = failed === undefined ? `MCP config ${file}` : `MCP server ${failed.serverId}`
        return new CliFailure({ message: signal?.aborted === true ? "Aborted" : `${who}: ${messageOf(cause)}`, cause })
      }
    })
    return Effect.tapError(opened, (error) => Effect.forEach(saidAside(failed, error), say))
  })

interface OpenFailure {
  readonly type: "mcp_open_failed"
  readonly serverId: string
  readonly ignored: number
  readonly stderr?: string
}

const saidAside = (failed: OpenFailure | undefined, error: CliFailure): ReadonlyArray<string> => {
  if (failed === undefined || error.message === "Aborted") return []
  const { ignored } = failed
  const noise = ignored === 0 ? [] : [`Lines of its stdout that were no messages: ${ignored}`]
  return [...noise, ...lastWords(failed, Exit.fail(error))]
}

/** Lines that may say why something failed, unless the failure has said it. */
const lastWords = (
  { stderr = "" }: { readonly stderr?: string },
  exit: Exit.Exit<number, unknown>
): ReadonlyArray<string> => {
  const tail = stderr.trim()
  const failure = Exit.isSuccess(exit) ? undefined : Cause.squash(exit.cause)
  const hasFailed =
    failure instanceof CliFailure ? !failure.message.includes(tail) : Exit.isSuccess(exit) && exit.value !== 0
  return hasFailed && tail !== "" ? ["The server's stderr ends with:", printable(tail).replaceAll(/^/gm, "  ")] : []
}
