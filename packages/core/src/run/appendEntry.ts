import type { SessionEntry } from "../records/SessionEntry.ts"
import { redactSessionEntry } from "../security/Redactor.ts"
import { makeId } from "../store/ids.ts"
import { isoTimestamp } from "../store/timestamps.ts"
import type { Message } from "../schema/Message.ts"
import type { ModelConfig } from "../schema/Model.ts"
import type { ActiveRun } from "./ActiveRun.ts"

/** The caller's part of an entry. */
export type NewEntry =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "model_change"; readonly model: ModelConfig; readonly previousModel: ModelConfig }

/**
 * Stores one entry at the run's place on the branch, redacted; one after the other, also for a loop that does not wait.
 * Throws the run's stop reason once it is stopped.
 */
export const appendEntry = (run: ActiveRun, entry: NewEntry): void | Promise<void> => {
  if (run.stopped) throw run.stopReason
  if (run.appending !== undefined) return run.appending.then(() => appendEntry(run, entry))
  const parentId = run.leafId
  const id = makeId("entry")
  const { id: runId, sessionId } = run
  const made = entryOf(entry, id, parentId, run)
  // By its ids an entry is found again: a secret within one is the host's own doing.
  const safe =
    run.redactor === undefined
      ? made
      : { ...redactSessionEntry(made, run.redactor), id, sessionId, runId, ...(parentId !== undefined && { parentId }) }
  const written = run.transcript.append(safe, run.idempotencyKey, run)
  if (written === undefined) {
    run.leafId = safe.id
    return
  }
  const done = written.then(() => {
    run.leafId = safe.id
  })
  const free = (): void => {
    if (run.appending === over) run.appending = undefined
  }
  // What comes next goes where the branch then is, also when this entry was refused.
  const over = done.then(free, free)
  run.appending = over
  return done
}

/** Messages are what most entries are: each gets one object with all its fields in place, which a spread would add behind it. */
const entryOf = (entry: NewEntry, id: string, parentId: string | undefined, run: ActiveRun): SessionEntry => {
  const { id: runId, sessionId } = run
  const timestamp = isoTimestamp(run.now())
  if (entry.kind !== "message") {
    return { id, ...(parentId !== undefined && { parentId }), sessionId, timestamp, runId, ...entry }
  }
  const { kind, message } = entry
  return parentId === undefined
    ? { id, sessionId, timestamp, runId, kind, message }
    : { id, parentId, sessionId, timestamp, runId, kind, message }
}
