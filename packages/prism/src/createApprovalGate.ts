/** A person's answer, for hosts of Promises. */
import {
  type ApprovalDecision,
  ApprovalGate,
  type ApprovalOptions,
  type ApprovalRequest,
  type AskOptions,
  toPromise
} from "@arnilo/prism-core"
import * as Effect from "effect/Effect"

export interface ApprovalGateHandle {
  /** Never rejects: a timeout, an abort of `signal` and a prompt that fails are refusals with a reason. */
  ask(request: ApprovalRequest, options?: AskOptions): Promise<ApprovalDecision>
}

/** Asks through `prompt`, for at most `approvalTimeoutMs` (30,000 unless set). Throws `LimitError` when that is out of range. */
export const createApprovalGate = (options: ApprovalOptions): ApprovalGateHandle => {
  const gate = ApprovalGate.make(options)
  return { ask: (request, ask) => toPromise(Effect.runPromiseExit, gate.ask(request, ask)) }
}
