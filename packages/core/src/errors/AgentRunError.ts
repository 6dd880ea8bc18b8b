import * as Data from "effect/Data"
import type { AgentRunResult } from "../records/AgentRunResult.ts"

/** A run failed or was aborted. `result` says what it came to until then; `cause` is the original, unredacted error. */
export class AgentRunError extends Data.TaggedError("AgentRunError")<{
  readonly result: AgentRunResult
  readonly cause?: unknown
}> {
  override get message(): string {
    return this.result.error?.message ?? (this.result.status === "aborted" ? "Agent run aborted" : "Agent run failed")
  }
}
