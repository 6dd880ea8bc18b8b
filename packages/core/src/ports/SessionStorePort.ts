/** A store of session entries as a host hands it in. */
import type { SessionEntry } from "../records/SessionEntry.ts"
import type { HostValue } from "./HostValue.ts"

export interface SessionAppendOptions {
  /** An entry of the same session that must exist. It need not be the newest: branching is legal. */
  readonly expectedParentId?: string | undefined
  /** A repeat of (session, key, expected parent) conflicts instead of writing twice. */
  readonly idempotencyKey?: string | undefined
}

export interface PersistencePage<T> {
  readonly items: ReadonlyArray<T>
  readonly nextCursor?: string | undefined
  readonly total?: number | undefined
}

export interface BranchPathQuery {
  readonly sessionId: string
  readonly leafId?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

/** Append-only. What is read out is a copy. A rejected append has written nothing. */
export interface SessionStorePort {
  append(entry: SessionEntry, options?: SessionAppendOptions): HostValue<void>
  list(sessionId: string): HostValue<ReadonlyArray<SessionEntry>>
  get?(id: string): HostValue<SessionEntry | undefined>
  readBranchPath?(query: BranchPathQuery): HostValue<PersistencePage<SessionEntry>>
}
