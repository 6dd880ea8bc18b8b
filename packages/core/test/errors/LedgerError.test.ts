import { assert, describe, it } from "@effect/vitest"
import { LedgerError } from "../../src/errors/LedgerError.ts"

describe("LedgerError", () => {
  it("P24: says what refused and why, keeps the cause, and is made once", () => {
    const cause = new Error("disk full")
    const error = LedgerError.of(cause)
    assert.instanceOf(error, Error)
    assert.deepInclude(error, { _tag: "LedgerError", name: "LedgerError", code: "ERR_PRISM_LEDGER", cause })
    assert.strictEqual(error.message, "Run ledger failed: disk full")
    assert.strictEqual(LedgerError.of("down", "emit").message, "Listener emit failed: down")
    assert.strictEqual(LedgerError.of("down", "progress").message, "Listener progress failed: down")
    assert.strictEqual(LedgerError.of(error, "emit"), error)
  })

  it("P24: a cause that has no text does not make it unreadable", () => {
    assert.strictEqual(LedgerError.of(Object.create(null)).message, "Run ledger failed: [Unreadable]")
  })
})
