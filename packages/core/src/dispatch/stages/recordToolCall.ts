import type { ToolCallRecord } from "../../records/LedgerRecords.ts"
import { redactRunLedgerRecord } from "../../security/Redactor.ts"
import { makeId } from "../../store/ids.ts"
import { isoTimestamp } from "../../store/timestamps.ts"
import type { Dispatch } from "../DispatchScope.ts"

/** Writes one ledger row of a call. All rows of one dispatch share `startedAt`. */
export const recordToolCall = (dispatch: Dispatch, row: Partial<ToolCallRecord>): void | Promise<void> => {
  const { call, scope, startedAt } = dispatch
  if (scope.ledger === undefined || scope.stopped) return
  const now = isoTimestamp(scope.now())
  const record: ToolCallRecord = {
    ...scope.ownership,
    id: makeId("toolcall"),
    sessionId: scope.sessionId,
    runId: scope.runId,
    toolCallId: call.id,
    name: call.name,
    arguments: call.arguments,
    startedAt: isoTimestamp(startedAt),
    redacted: scope.redactor !== undefined,
    ...row,
    ...(row.status === "started" ? ("progress" in row ? { progressAt: now } : undefined) : { finishedAt: now })
  }
  return scope.ledger.write((ledger) => ledger.appendToolCall(redactRunLedgerRecord(record, scope.redactor)))
}
