/** The servers that run as children of this process. None of them outlives it, however it ends, short of SIGKILL. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import process from "node:process"

const running = new Set<number>()

const FATAL = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** `pid` leads a group of its own. Until `forgetChild` the group dies with this process. */
export const watchChild = (pid: number): void => {
  if (running.size === 0) {
    process.on("exit", killAll)
    for (const signal of FATAL) process.on(signal, onFatal)
  }
  running.add(pid)
}

/** With the last child the listeners go, too. */
export const forgetChild = (pid: number): void => {
  if (!running.delete(pid) || running.size > 0) return
  process.off("exit", killAll)
  for (const signal of FATAL) process.off(signal, onFatal)
}

/** Sends a signal to the group that `pid` leads, as long as anything of it lives. On Windows everything ends at once. */
export const signalGroup = (pid: number, signal: "SIGTERM" | "SIGKILL"): void => {
  if (process.platform === "win32") {
    const program = join(process.env["SystemRoot"] ?? String.raw`C:\Windows`, "System32", "taskkill.exe")
    spawnSync(program, ["/F", "/T", "/PID", String(pid)], { stdio: "ignore", windowsHide: true })
    return
  }
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // Nothing of the group is left, or it is not ours to end.
    if (!(error instanceof Error)) throw error
  }
}

const killAll = (): void => {
  for (const pid of running) signalGroup(pid, "SIGKILL")
}

/**
 * Listening keeps a signal from ending the process. Where the host listens itself, what happens is its own affair, and
 * the children go when it exits; else the signal is sent again once nobody listens any more.
 */
const onFatal = (signal: NodeJS.Signals): void => {
  if (process.listenerCount(signal) > 1) return
  killAll()
  process.off(signal, onFatal)
  process.kill(process.pid, signal)
}
