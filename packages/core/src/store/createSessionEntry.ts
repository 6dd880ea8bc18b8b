/** Session entries made by hand. */
import * as Clock from "effect/Clock"
import type { SessionEntry } from "../records/SessionEntry.ts"
import { makeId } from "./ids.ts"
import { isoTimestamp } from "./timestamps.ts"

type Time = Date | number | string

/** An entry whose id and timestamp may be left to be made. */
export interface NewSessionEntry extends Omit<SessionEntry, "id" | "timestamp"> {
  readonly id?: string | undefined
  readonly timestamp?: string | undefined
  /** Makes the id of an entry that has none; `entry_<uuid>` by default. */
  readonly createId?: (() => string) | undefined
  /** The time of an entry that has no `timestamp`: a date, milliseconds since the epoch or ISO text. */
  readonly now?: Time | (() => Time) | undefined
}

const fields = [
  "schemaVersion",
  "runId",
  "message",
  "event",
  "model",
  "previousModel",
  "label",
  "summary",
  "data",
  "metadata"
] as const

const timeOf = (now: NewSessionEntry["now"]): string => {
  // The default clock, not a fiber's: this is a plain function of the host.
  const time = typeof now === "function" ? now() : (now ?? Clock.Clock.defaultValue().currentTimeMillisUnsafe())
  return typeof time === "string" ? time : isoTimestamp(Number(time))
}

/**
 * A complete entry: what is absent of id and timestamp is made. Only documented fields are taken over, so that nothing else
 * of a host's object reaches a store; their values are not copied.
 */
export const createSessionEntry = (entry: NewSessionEntry): SessionEntry => {
  const made: Record<string, unknown> = { id: entry.id ?? entry.createId?.() ?? makeId("entry") }
  if (entry.parentId !== undefined) made["parentId"] = entry.parentId
  made["sessionId"] = entry.sessionId
  made["timestamp"] = entry.timestamp ?? timeOf(entry.now)
  made["kind"] = entry.kind
  for (const field of fields) if (entry[field] !== undefined) made[field] = entry[field]
  // The required fields are set above, the others have the types they had in `entry`.
  return made as unknown as SessionEntry
}
