import * as Data from "effect/Data"
import type { ToolBlockedReason } from "../events/ToolEvents.ts"
import type { ErrorInfo } from "../schema/ErrorInfo.ts"

/** A call that ended before its tool ran. The model sees `error`; event and ledger carry the same `reason`. */
export class ToolBlockedError extends Data.TaggedError("ToolBlockedError")<{
  readonly reason: ToolBlockedReason
  readonly error: ErrorInfo
}> {
  readonly code = "ERR_PRISM_TOOL_BLOCKED"

  override get message(): string {
    return this.error.message
  }
}
