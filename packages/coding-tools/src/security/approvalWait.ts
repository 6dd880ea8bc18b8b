/** Waits for a person's answer through core's gate, and says how the wait ended in the words of the coding tools. */
import { ApprovalGate, type ExecutionAction, toPromise } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import { type ProposedChange, proposedChange } from "../proposedChange.ts"
import type { CommandAnalysis } from "./commandAnalysis.ts"

/** `signal` aborts as soon as nobody waits for the answer any more: on the caller's abort and on the timeout. */
export interface CodingApprovalRequest {
  readonly action: ExecutionAction
  readonly signal?: AbortSignal | undefined
  /** With `commandAnalysis: "shell"`: what the command would run, and what was decided about it. */
  readonly analysis?: CommandAnalysis | undefined
  /** Of `write` and `edit`: what the model wants written. */
  readonly change?: ProposedChange | undefined
}

/** Only the value `true` approves. Any other value, a throw and a rejection refuse. */
export type CodingApprovalFn = (request: CodingApprovalRequest) => boolean | Promise<boolean>

/** `decided` tells an answer from a wait that ended without one. */
interface Approval {
  readonly approved: boolean
  readonly reason: string
  readonly decided: boolean
}

type ApprovalWait = (action: ExecutionAction, analysis: CommandAnalysis | undefined) => Promise<Approval>

const DENIED = "approval denied"

/** Throws when `approvalTimeoutMs` is out of range. What is answered after the end of the wait changes nothing. */
export const createApprovalWait = (
  approve: CodingApprovalFn | undefined,
  approvalTimeoutMs: number | undefined
): ApprovalWait | undefined => {
  ApprovalGate.make({ prompt: () => false, approvalTimeoutMs })
  if (approve === undefined) return undefined
  return async (action, analysis) => {
    const caller = signalOf(action)
    if (caller?.aborted === true) return unanswered("aborted")
    let answer: Approval | undefined
    let question: AbortSignal | undefined
    const prompt = async (_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<boolean> => {
      question = signal
      const change = proposedChange(action)
      const given = await answerOf(approve, {
        action,
        signal,
        ...(analysis !== undefined && { analysis }),
        ...(change !== undefined && { change })
      })
      answer ??= given
      return given.approved
    }
    const gate = ApprovalGate.make({ prompt, approvalTimeoutMs })
    const request = { title: `${action.kind}:${action.operation}`, detail: action.command ?? action.paths?.join("\n") }
    const decision = await toPromise(Effect.runPromiseExit, gate.ask(request, { signal: caller }))
    if (decision.approved) return { approved: true, reason: "", decided: true }
    // The gate withdraws a question that it took no answer to, with the caller's reason if the caller gave up. An answer
    // that came in the same moment counts for nothing.
    if (question?.aborted === true) return unanswered(question.reason === caller?.reason ? "aborted" : "timed out")
    return answer ?? { approved: false, reason: DENIED, decided: false }
  }
}

const unanswered = (why: string): Approval => ({ approved: false, reason: `${DENIED} (${why})`, decided: false })

const answerOf = async (approve: CodingApprovalFn, request: CodingApprovalRequest): Promise<Approval> => {
  try {
    const answer: unknown = await approve(request)
    return { approved: answer === true, reason: DENIED, decided: true }
  } catch {
    return { approved: false, reason: DENIED, decided: false }
  }
}

const signalOf = ({ metadata }: ExecutionAction): AbortSignal | undefined => {
  const signal: unknown = metadata?.["signal"]
  return signal instanceof AbortSignal ? signal : undefined
}
