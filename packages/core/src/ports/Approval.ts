/** A question to a person, as a host puts it. */
import type { Metadata } from "../schema/Json.ts"
import type { HostValue } from "./HostValue.ts"

export interface ApprovalRequest {
  /** One line: what is about to happen. */
  readonly title: string
  readonly detail?: string | undefined
  readonly metadata?: Metadata | undefined
}

/** `reason` is what the model is told of a refusal. */
export interface ApprovalDecision {
  readonly approved: boolean
  readonly reason?: string | undefined
}

/** Shows the question. `signal` aborts when the question is withdrawn unanswered; its reason says why. */
export type ApprovalPrompt = (
  request: ApprovalRequest,
  context: { readonly signal: AbortSignal }
) => HostValue<ApprovalDecision | boolean>
