/** What a command line runs in: streams, signal, and a host's own sessions. */
import type { AgentSessionPort } from "@arnilo/prism-core"
import type { Readable, Writable } from "node:stream"
import type { CliOptions } from "./CliOptions.ts"

/** What surrounds one invocation. */
export interface CliRuntime {
  readonly stdin: Readable
  /** Takes the protocol alone: text or JSON lines. */
  readonly stdout: Writable
  readonly stderr: Writable
  /** Stands in for the built-in providers and for `--host`. */
  readonly createSession?: ((options: CliOptions) => AgentSessionPort) | undefined
  /** What `--host` is relative to; the directory of the process by default. */
  readonly cwd?: string | undefined
  /** Aborts the run. The reason `"SIGTERM"` makes the exit code 143, any other 130. */
  readonly signal?: AbortSignal | undefined
}
