import * as Data from "effect/Data"

/** Why a store refused an append. Every field but `code` is present when it applies. */
export interface SessionAppendConflict {
  readonly code: "session_append_conflict"
  /** The parent that the session does not have. */
  readonly expectedParentId?: string | undefined
  /** The session's newest entry at that moment. */
  readonly currentLeafId?: string | undefined
  /** True when the same (session, idempotency key, expected parent) was written before. */
  readonly idempotencyDuplicate?: boolean | undefined
}

/** A store refused an append because its session is not in the state that the writer expected. Nothing was written. */
export class SessionAppendConflictError extends Data.TaggedError("SessionAppendConflictError")<{
  readonly conflict: SessionAppendConflict
}> {
  readonly code = "session_append_conflict"

  constructor(conflict: Omit<SessionAppendConflict, "code">) {
    super({ conflict: { ...conflict, code: "session_append_conflict" } })
  }

  override get message(): string {
    return this.conflict.idempotencyDuplicate === true
      ? "Session append conflict: this append was already written"
      : `Session append conflict: expected parent ${this.conflict.expectedParentId} is not in the session`
  }
}

/** True for an append conflict of any store, told by its `code`: it may be another class, or have crossed a process. */
export const isSessionAppendConflict = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "session_append_conflict"
