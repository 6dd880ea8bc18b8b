import * as Data from "effect/Data"
import type { ExecutionAction, ExecutionDecision } from "../ports/Policies.ts"

/** An execution policy said no, or could not say. The message is the reason of the decision, if it gave one. */
export class ExecutionDeniedError extends Data.TaggedError("ExecutionDeniedError")<{
  readonly action: ExecutionAction
  readonly decision: ExecutionDecision
}> {
  readonly code = "ERR_PRISM_EXECUTION_DENIED"

  override get message(): string {
    return this.decision.reason || `Execution denied for ${this.action.kind}:${this.action.operation}`
  }
}
