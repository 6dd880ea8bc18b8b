/** What a bridge tells its host besides results. */
import { type ErrorInfo, errorToErrorInfo } from "@arnilo/prism-core"
import type { McpToolAdmission } from "./admission.ts"
import { boundText } from "./boundText.ts"
import { McpFixedLimits } from "./McpLimits.ts"

/** A bridge belongs to no session: these go to `onEvent`, not to a session's subscribers. */
export type McpEvent =
  /** Of every tool of a listing whose admission is new or has changed. */
  | { readonly type: "mcp_tool_admission"; readonly serverId: string; readonly admission: McpToolAdmission }
  /** A definition is not the one that was approved before. */
  | {
      readonly type: "mcp_tool_drift"
      readonly serverId: string
      readonly remoteName: string
      readonly approvedHash: string
      readonly definitionHash: string
    }
  /** A listing before a turn failed; the tools stay as they were. */
  | { readonly type: "mcp_refresh_failed"; readonly serverId: string; readonly error: ErrorInfo }
  /** A bridge could not be opened; nothing of it is left. `ignored` and `stderr`: see `McpHealth`. */
  | {
      readonly type: "mcp_open_failed"
      readonly serverId: string
      readonly error: ErrorInfo
      readonly ignored: number
      readonly stderr?: string
    }
  | {
      readonly type: "mcp_connection"
      readonly serverId: string
      readonly state: "ready" | "lost" | "reconnecting" | "closed"
      readonly reason?: string
    }

/** Must not throw; what it throws is ignored. */
export type McpEventListener = (event: McpEvent) => void

/** Tells a listener without depending on it. */
export const tell = (listener: McpEventListener | undefined, event: McpEvent): void => {
  try {
    listener?.(event)
  } catch {
    // A listener's failure is its own: the bridge goes on.
  }
}

/** An error as events tell it: what a server said is bounded. */
export const toldError = (error: unknown): ErrorInfo => {
  const { hardCap } = McpFixedLimits.remoteTextBytes
  const { cause, message, ...info } = errorToErrorInfo(error)
  return {
    ...info,
    message: boundText(message, hardCap),
    ...(typeof cause === "string" && { cause: boundText(cause, hardCap) })
  }
}
