import * as Data from "effect/Data"

/** The run ledger refused a row, which fails the run: durability is what it is for. */
export class LedgerError extends Data.TaggedError("LedgerError")<{ readonly cause: unknown }> {
  readonly code = "ERR_PRISM_LEDGER"

  override get message(): string {
    return `Run ledger failed: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }

  static of(cause: unknown): LedgerError {
    return cause instanceof LedgerError ? cause : new LedgerError({ cause })
  }
}
