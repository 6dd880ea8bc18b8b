/** Runs the shell tool's commands in a sandbox that the host brings. */
import type { BashOperations } from "../agent/BashOperations.ts"

/** One command. `timeout` is in seconds. `signal` aborts on the caller's abort, on overflow and on a spill failure. */
export interface SandboxExecRequest {
  readonly command: string
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly onData?: ((data: Buffer) => void) | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
}

/**
 * Runs a command somewhere else. Hands every piece of output to `onData`, ends the command when `signal` aborts, and
 * rejects with `timeout:<seconds>` when `timeout` has passed.
 */
export interface SandboxAdapter {
  readonly exec: (request: SandboxExecRequest) => Promise<{ readonly exitCode: number | null }>
}

/** A sandbox failed. The message is the adapter's own, word for word; `cause` is what it threw. */
export class SandboxExecutionError extends Error {
  override readonly name = "SandboxExecutionError"
  readonly code = "ERR_PRISM_SANDBOX_EXECUTION"
}

/** No sandbox can be made on this machine. The message says what is missing. */
export class SandboxUnavailableError extends Error {
  override readonly name = "SandboxUnavailableError"
  readonly code = "ERR_PRISM_SANDBOX_UNAVAILABLE"
}

/**
 * The shell tool's backend made of a sandbox. It grants nothing: a policy is asked first, and after a refusal the adapter
 * is not called. An adapter that ignores `signal` cannot be ended from here.
 */
export const createSandboxBashOperations = (adapter: SandboxAdapter): BashOperations => ({
  exec: async (command, cwd, { env, onData, signal, timeout }) => {
    try {
      const { exitCode } = await adapter.exec({ command, cwd, env, onData, signal, timeout })
      return { exitCode }
    } catch (error) {
      throw new SandboxExecutionError(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }
})
