import * as Data from "effect/Data"

/**
 * What must hear of a call refused to: the run ledger, or the `emit` or `progress` of a lone dispatch, as `source` says.
 * It fails the run or the dispatch: durability is what it is for.
 */
export class LedgerError extends Data.TaggedError("LedgerError")<{
  readonly cause: unknown
  readonly source?: "ledger" | "emit" | "progress" | undefined
}> {
  readonly code = "ERR_PRISM_LEDGER"

  override get message(): string {
    const what = this.source === undefined || this.source === "ledger" ? "Run ledger" : `Listener ${this.source}`
    return `${what} failed: ${textOf(this.cause)}`
  }

  static of(cause: unknown, source?: "emit" | "progress"): LedgerError {
    return cause instanceof LedgerError ? cause : new LedgerError({ cause, source })
  }
}

const textOf = (cause: unknown): string => {
  try {
    return cause instanceof Error ? cause.message : String(cause)
  } catch {
    return "[Unreadable]"
  }
}
