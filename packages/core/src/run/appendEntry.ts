import type { SessionEntry } from "../records/SessionEntry.ts"
import { redactSessionEntry } from "../security/Redactor.ts"
import { makeId } from "../store/ids.ts"
import { isoTimestamp } from "../store/timestamps.ts"
import type { ActiveRun } from "./ActiveRun.ts"

/** Stores one entry at the run's place on the branch, redacted. Throws the run's stop reason once it is stopped. */
export const appendEntry = (
  run: ActiveRun,
  entry: Pick<SessionEntry, "kind"> & Partial<SessionEntry>
): void | Promise<void> => {
  if (run.stopped) throw run.stopReason
  const parentId = run.leafId
  const made: SessionEntry = {
    id: makeId("entry"),
    sessionId: run.sessionId,
    timestamp: isoTimestamp(run.now()),
    runId: run.id,
    ...(parentId === undefined ? undefined : { parentId }),
    ...entry
  }
  const safe = redactSessionEntry(made, run.redactor)
  const written = run.transcript.append(safe, run.idempotencyKey, run)
  if (written === undefined) run.leafId = safe.id
  else return written.then(() => void (run.leafId = safe.id))
}
