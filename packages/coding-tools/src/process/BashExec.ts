/** How one command is run, and how it ended. */
import type { BackgroundProcess } from "./processes.ts"

export interface BashExecOptions {
  /** Takes output in order of arrival. Whatever comes after the promise settled is ignored. */
  readonly onData: (data: Buffer) => void
  /** Aborts when the caller does, when there is too much output, and when output cannot be stored. */
  readonly signal?: AbortSignal | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
  /** The whole environment; that of this process when absent. */
  readonly env?: NodeJS.ProcessEnv | undefined
}

export interface BashExecResult {
  /** `null` when a signal from outside ended the command. */
  readonly exitCode: number | null
  /** What the command left running, where the backend knows. */
  readonly background?: ReadonlyArray<BackgroundProcess> | undefined
}
