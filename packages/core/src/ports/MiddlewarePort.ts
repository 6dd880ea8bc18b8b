/** Hooks that may change what passes, as a host hands them in. */
import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import type { HostValue } from "./HostValue.ts"

/** The hooks of the runtime, or a host's own name. */
export type MiddlewareHook =
  | "provider_request"
  | "input_assembly"
  | "prompt_build"
  | "context"
  | "tool_call"
  | "tool_result"
  | "retry"
  | "compaction"
  | "session_start"
  | "session_shutdown"
  | (string & {})

/** Returns the new value, or calls `next` with it once. After `next`, what is returned does not count. */
export type Middleware<T> = (value: T, next: (value: T) => Promise<T>) => HostValue<T | void>

export interface MiddlewareErrorEvent {
  readonly type: "extension_error"
  readonly extension: string
  readonly error: ErrorInfo
}

export interface MiddlewareRegistry {
  /** The answer removes the hook again. */
  use<T>(hook: MiddlewareHook, middleware: Middleware<T>): () => void
  run<T>(hook: MiddlewareHook, value: T): Promise<T>
  list(hook: MiddlewareHook): ReadonlyArray<Middleware<never>>
}
