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
import { untilAborted } from "./untilAborted.ts"

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
  const say = (line: string) => Effect.ignore(stderr.write(`${line}\n`))
  const start = performance.now()
  return yield* Effect.acquireUseRelease(
    open(mcp, config, invocation, runtime),
    (bridge) => {
      const openedMs = performance.now() - start
      return actions[invocation.action]({ invocation, runtime, config, mcp, bridge, openedMs, stdout, say })
    },
    (bridge, exit) =>
      Effect.andThen(
        Effect.promise(() => bridge.close()),
        // All of it has arrived by then.
        Effect.suspend(() => Effect.forEach(lastWords(bridge, exit), say))
      )
  )
}, Effect.mapError(toPrintable))

const actions = { list: listMcpTools, call: callMcpTool, check: checkMcpServer }

const open = (mcp: McpPackage, config: McpConfig, { config: file, timeoutMs }: McpInvocation, { signal }: CliRuntime) =>
  Effect.tryPromise({
    try: () => mcp.connectMcpTools({ ...config, ...(timeoutMs !== undefined && { callTimeoutMs: timeoutMs }), signal }),
    catch: (cause) => {
      const message = signal?.aborted === true ? "Aborted" : `MCP config ${file}: ${messageOf(cause)}`
      return new CliFailure({ message, cause })
    }
  })

/** Lines that may say why something failed, unless the failure has said it. */
const lastWords = ({ health }: McpBridge, exit: Exit.Exit<number, unknown>): ReadonlyArray<string> => {
  const tail = (health.stderr ?? "").trim()
  const failure = Exit.isSuccess(exit) ? undefined : Cause.squash(exit.cause)
  const hasFailed =
    failure instanceof CliFailure ? !failure.message.includes(tail) : Exit.isSuccess(exit) && exit.value !== 0
  return hasFailed && tail !== "" ? ["The server's stderr ends with:", printable(tail).replaceAll(/^/gm, "  ")] : []
}
