/** Where the shell tool runs its commands: the seam for a host's backend, and the local one. */
import { statSync } from "node:fs"
import type { BashExecOptions, BashExecResult } from "../process/BashExec.ts"
import { getShellConfig } from "../process/getShellConfig.ts"
import { runLocally } from "../process/runLocally.ts"

/** What is about to be run. */
export interface BashSpawnContext {
  command: string
  cwd: string
  env: NodeJS.ProcessEnv
}

/** May replace command, directory and environment; the execution policy sees what it returns. A throw is an error result. */
export type BashSpawnHook = (context: BashSpawnContext) => BashSpawnContext

/**
 * Runs one command. A timeout rejects with a message that starts with `timeout:<seconds>`. A backend replaces the local one
 * whole; one that ignores `signal` cannot be ended by the tool, which then settles without it.
 */
export interface BashOperations {
  exec(command: string, cwd: string, options: BashExecOptions): Promise<BashExecResult>
}

/**
 * A shell on this machine, in a process group of its own, without input and without a terminal. Rejects when shell or
 * directory are missing; after a timeout, an abort or a throwing `onData` every process of the call that can be found is
 * killed, and the promise settles within two seconds of it.
 */
export const createLocalBashOperations = ({
  shellPath
}: { readonly shellPath?: string | undefined } = {}): BashOperations => ({
  exec: async (command, cwd, options) => {
    if (options.signal?.aborted === true) throw new Error("aborted")
    const { shell, args } = getShellConfig(shellPath)
    if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new Error(`Working directory does not exist: ${cwd}`)
    }
    return runLocally({ shell, args: [...args, command], cwd }, options)
  }
})
