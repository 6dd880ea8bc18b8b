import type { RunRecord } from "../records/LedgerRecords.ts"
import { redactRunLedgerRecord } from "../security/Redactor.ts"
import { isoTimestamp } from "../store/timestamps.ts"
import type { ActiveRun } from "./ActiveRun.ts"

/** Writes one ledger row of the run. All rows of a run share `id` and `startedAt`. */
export const recordRun = (run: ActiveRun, row: Partial<RunRecord>): void | Promise<void> => {
  const { idempotencyKey, ledger, ownership, startedAt } = run
  if (ledger === undefined || startedAt === undefined) return
  const model = run.options.model ?? run.agent.config.model
  const record: RunRecord = {
    ...ownership,
    id: run.id,
    sessionId: run.sessionId,
    model,
    provider: model.provider,
    startedAt: isoTimestamp(startedAt),
    ...(idempotencyKey === undefined ? undefined : { idempotencyKey }),
    metadata: run.metadata,
    ...row
  }
  return ledger.write((port) => port.appendRun(redactRunLedgerRecord(record, run.redactor)))
}
