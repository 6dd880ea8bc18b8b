/** Runs `prism mcp list`, `call` and `check`: opens one connection, looks, closes it. */
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { type CliFailure, toCliFailure } from "../CliFailure.ts"
import { CliUsageError } from "../CliOptions.ts"
import type { CliRuntime } from "../CliRuntime.ts"
import type { Output, OutputError } from "../Output.ts"
import { callMcpTool } from "./callMcpTool.ts"
import { checkMcpServer } from "./checkMcpServer.ts"
import { listMcpTools } from "./listMcpTools.ts"
import type { McpInvocation } from "./McpInvocation.ts"
import { loadMcpPackage, type McpPackage } from "./McpPackage.ts"
import { type McpConfig, readMcpConfig } from "./readMcpConfig.ts"

/** Ends with the exit code, 0 or 1. Nothing of the connection is left then, however it ends. */
export const runMcp = Effect.fnUntraced(function* (
  invocation: McpInvocation,
  runtime: CliRuntime,
  stdout: Output,
  stderr: Output
): Effect.fn.Return<number, CliFailure | CliUsageError | OutputError> {
  const path = resolve(runtime.cwd ?? process.cwd(), invocation.config)
  const config = yield* readMcpConfig(invocation.config, path)
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
})

const actions = { list: listMcpTools, call: callMcpTool, check: checkMcpServer }

const open = (mcp: McpPackage, config: McpConfig, { timeoutMs }: McpInvocation, { signal }: CliRuntime) =>
  Effect.tryPromise({
    try: () => mcp.connectMcpTools({ ...config, ...(timeoutMs !== undefined && { callTimeoutMs: timeoutMs }), signal }),
    catch: (error) => toCliFailure(signal?.aborted === true ? new Error("Aborted") : error)
  })
