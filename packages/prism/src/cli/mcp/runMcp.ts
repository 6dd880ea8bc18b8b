/** Runs `prism mcp list`, `call` and `check`: opens one connection, looks, closes it. */
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { CliFailure, toCliFailure } from "../CliFailure.ts"
import type { CliUsageError } from "../CliOptions.ts"
import type { CliRuntime } from "../CliRuntime.ts"
import type { Output, OutputError } from "../Output.ts"
import { callMcpTool } from "./callMcpTool.ts"
import { checkMcpServer } from "./checkMcpServer.ts"
import { listMcpTools } from "./listMcpTools.ts"
import type { McpInvocation } from "./McpInvocation.ts"
import { loadMcpPackage, type McpPackage } from "./McpPackage.ts"
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
  const path = resolve(runtime.cwd ?? process.cwd(), invocation.config)
  const config = yield* untilAborted(readMcpConfig(invocation.config, path), runtime.signal)
  const mcp = yield* loadMcpPackage(path)
  const say = (line: string) => Effect.ignore(stderr.write(`${line}\n`))
  const start = performance.now()
  return yield* Effect.acquireUseRelease(
    open(mcp, config, invocation, runtime),
    (bridge) => {
      const openedMs = performance.now() - start
      return actions[invocation.action]({ invocation, runtime, config, mcp, bridge, openedMs, stdout, say })
    },
    (bridge) => Effect.promise(() => bridge.close())
  )
}, Effect.mapError(toPrintable))

const actions = { list: listMcpTools, call: callMcpTool, check: checkMcpServer }

const open = (mcp: McpPackage, config: McpConfig, { timeoutMs }: McpInvocation, { signal }: CliRuntime) =>
  Effect.tryPromise({
    try: () => mcp.connectMcpTools({ ...config, ...(timeoutMs !== undefined && { callTimeoutMs: timeoutMs }), signal }),
    catch: (error) => toCliFailure(signal?.aborted === true ? new Error("Aborted") : error)
  })
