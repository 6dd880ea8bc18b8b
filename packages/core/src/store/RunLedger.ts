/** What a run writes to its ledger: one row after the other, and none after one has failed. */
import * as Context from "effect/Context"
import { LedgerError } from "../errors/LedgerError.ts"
import type { HostValue } from "../ports/HostValue.ts"
import type { RunLedgerPort } from "../ports/RunLedgerPort.ts"
import { type Driver, drive, waitFor } from "../ports/Steps.ts"

/** The host's ledger; none unless a host provides one. */
export const RunLedger = Context.Reference<RunLedgerPort | undefined>("@arnilo/prism-core/store/RunLedger", {
  defaultValue: () => undefined
})

/** The rows of one run, in the order of `write`. A slow ledger makes callers wait; it never reorders. */
export class LedgerWriter {
  readonly #ledger: RunLedgerPort
  readonly #driver: Driver
  #last: Promise<void> | undefined
  #failure: LedgerError | undefined

  constructor(ledger: RunLedgerPort, driver: Driver) {
    this.#ledger = ledger
    this.#driver = driver
  }

  /** Answers with a Promise only if there is something to wait for. Fails with `LedgerError`, and from then on always. */
  write(append: (ledger: RunLedgerPort) => HostValue<void>): void | Promise<void> {
    if (this.#last === undefined) return this.#append(append)
    const written = this.#last.then(() => this.#append(append))
    this.#follow(written)
    return written
  }

  #append(append: (ledger: RunLedgerPort) => HostValue<void>): void | Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    let answer: void | Promise<void>
    try {
      answer = drive(waitFor(append(this.#ledger)), this.#driver)
    } catch (cause) {
      throw this.#fail(cause)
    }
    // A row that was pushed onto an array answers with its length.
    if (!(answer instanceof Promise)) return
    const written = answer.catch((cause: unknown) => {
      throw this.#fail(cause)
    })
    if (this.#last === undefined) this.#follow(written)
    return written
  }

  /** The next row waits for this one, whether it succeeds or not. */
  #follow(written: Promise<void>): void {
    const last: Promise<void> = written
      .catch(() => undefined)
      .then(() => {
        if (this.#last === last) this.#last = undefined
      })
    this.#last = last
  }

  #fail(cause: unknown): LedgerError {
    this.#failure ??= LedgerError.of(cause)
    return this.#failure
  }
}
