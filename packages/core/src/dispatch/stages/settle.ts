/** The one exit of a call: success, refusal or failure → result, closing event, ledger row; each exactly once. */
import { LedgerError } from "../../errors/LedgerError.ts"
import { ToolBlockedError } from "../../errors/ToolBlockedError.ts"
import type { Steps } from "../../ports/Steps.ts"
import type { ErrorInfo } from "../../schema/ErrorInfo.ts"
import type { ToolResult } from "../../schema/ToolResult.ts"
import { errorToErrorInfo, resolveRedactor } from "../../security/Redactor.ts"
import type { Dispatch, DispatchScope } from "../DispatchScope.ts"
import { HostFailure } from "../HostFailure.ts"
import { recordToolCall } from "./recordToolCall.ts"

/** The tool ran and answered, be it with an error of its own. */
export function* settle(dispatch: Dispatch, answered: ToolResult): Steps<ToolResult> {
  const { scope } = dispatch
  const result = answered.error === undefined ? answered : { ...answered, error: scrub(scope, answered.error) }
  const told = scope.emit({
    type: "tool_execution_finished",
    sessionId: scope.sessionId,
    runId: scope.runId,
    result,
    metadata: { durationMs: elapsed(dispatch), status: "finished" }
  })
  if (told !== undefined) yield told
  const recorded = recordToolCall(dispatch, { status: "finished", result })
  if (recorded !== undefined) yield recorded
  return result
}

/** A gate refused the call, or its tool or a hook failed. A ledger that failed is no matter of this call: it is thrown on. */
export function* settleFailure(dispatch: Dispatch, failure: unknown): Steps<ToolResult> {
  if (failure instanceof LedgerError) throw failure
  const { call, scope } = dispatch
  const blocked = failure instanceof ToolBlockedError
  const error = scrub(scope, blocked ? failure.error : errorToErrorInfo(causeOf(failure)))
  const result: ToolResult = { toolCallId: call.id, name: call.name, error }
  const of = { sessionId: scope.sessionId, runId: scope.runId }
  const durationMs = elapsed(dispatch)
  const told = scope.emit(
    blocked
      ? {
          type: "tool_execution_blocked",
          ...of,
          toolCallId: call.id,
          name: call.name,
          reason: failure.reason,
          error,
          metadata: { durationMs, status: "blocked" }
        }
      : { type: "tool_execution_error", ...of, call, error, metadata: { durationMs, status: "error" } }
  )
  if (told !== undefined) yield told
  const recorded = recordToolCall(
    dispatch,
    blocked ? { status: "blocked", reason: failure.reason, result } : { status: "error", result }
  )
  if (recorded !== undefined) yield recorded
  return result
}

const elapsed = ({ scope, startedAt }: Dispatch): number => Math.max(0, scope.now() - startedAt)

const causeOf = (failure: unknown): unknown => (failure instanceof HostFailure ? failure.error : failure)

/** A host's redactor that fails on an error must not be the way around it. */
const scrub = (scope: DispatchScope, error: ErrorInfo): ErrorInfo => {
  const redactor = resolveRedactor(scope.redactor, scope.secrets)
  if (redactor === undefined) return error
  try {
    return redactor.redact(error)
  } catch {
    return { message: "[REDACTED]" }
  }
}
