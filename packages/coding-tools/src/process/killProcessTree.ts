/** Ends a process and all that came of it. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { type CallProcesses, findProcesses } from "./processes.ts"

/** Listing and killing race with forking; this many looks without rest, the rest is for who waits. */
const MAX_ROUNDS = 8

/**
 * Kills the group that `pid` leads, and those of its descendants that left the group and can be found. Never throws; a
 * number that names no single process (0, 1, negative) is ignored. On Windows `taskkill` is started and not waited for.
 */
export const killProcessTree = (pid: number): void => killProcesses({ pid })

/** `killProcessTree`, also for those that carry the call's mark. Whoever is forked during a round is met in the next. */
export const killProcesses = (call: CallProcesses): void => {
  if (!Number.isSafeInteger(call.pid) || call.pid <= 1) return
  if (process.platform === "win32") return taskkill(call.pid)
  const killed = new Set<number>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // Listed before the group dies: its orphans would have lost the parent by which they are found.
    const fresh = findProcesses(call).filter(({ pid }) => !killed.has(pid))
    if (round === 0) kill(-call.pid)
    if (fresh.length === 0) return
    for (const { pid } of fresh) {
      killed.add(pid)
      kill(pid)
    }
  }
}

/** Gone already, or not ours to kill: who waits for the end sees which. */
const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}

const taskkill = (pid: number): void => {
  const program = join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "taskkill.exe")
  spawn(program, ["/F", "/T", "/PID", String(pid)], { stdio: "ignore", windowsHide: true }).once("error", () => {})
}
