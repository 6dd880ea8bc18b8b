/** Runs the shell tool in a directory of its own and reads its results. */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { JsonObject, ToolResult } from "@arnilo/prism-core"
import { assert } from "@effect/vitest"
import { createShellTool, type ShellToolOptions } from "../../../src/agent/shellTool.ts"

export const cwd = mkdtempSync(join(tmpdir(), "shell-tool-"))

const context = { sessionId: "s", runId: "r", toolCallId: "c" }
export const run = async (
  args: JsonObject | string,
  options: ShellToolOptions = {},
  signal?: AbortSignal
): Promise<ToolResult> => {
  const tool = createShellTool(cwd, options)
  return (await tool.execute(typeof args === "string" ? { command: args } : args, { ...context, signal })) as ToolResult
}
export const text = ({ content }: ToolResult, at = 0): string => {
  const block = content?.[at]
  return block?.type === "text" ? block.text : assert.fail(`block ${at} is ${JSON.stringify(block)}`)
}
export const spills = (prefix: string): ReadonlyArray<string> =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`${prefix}-`))
export const background = (result: ToolResult): ReadonlyArray<{ pid: number; command: string }> =>
  (result.metadata?.["background"] ?? []) as ReadonlyArray<{ pid: number; command: string }>
export const isAlive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}
export const pidIn = (file: string): number => Number(readFileSync(join(cwd, file), "utf8"))
