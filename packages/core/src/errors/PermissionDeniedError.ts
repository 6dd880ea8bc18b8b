import * as Data from "effect/Data"
import type { PermissionDecision, PermissionRequest } from "../ports/Policies.ts"

/** A permission policy said no, or could not say. The message is the reason of the decision, if it gave one. */
export class PermissionDeniedError extends Data.TaggedError("PermissionDeniedError")<{
  readonly request: PermissionRequest
  readonly decision: PermissionDecision
}> {
  readonly code = "ERR_PRISM_PERMISSION_DENIED"

  override get message(): string {
    const { kind, target, action } = this.request
    return this.decision.reason || `Permission denied for ${kind}:${target}:${action}`
  }
}
