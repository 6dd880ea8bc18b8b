import * as Data from "effect/Data"
import type { TrustDecision, TrustRequest } from "../ports/Policies.ts"

/** A trust policy said no, or could not say. The message is the reason of the decision, if it gave one. */
export class TrustDeniedError extends Data.TaggedError("TrustDeniedError")<{
  readonly request: TrustRequest
  readonly decision: TrustDecision
}> {
  readonly code = "ERR_PRISM_UNTRUSTED"

  override get message(): string {
    return this.decision.reason || `Not trusted: ${this.request.kind}:${this.request.target}`
  }
}
