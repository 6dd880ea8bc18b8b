import { assert, describe, it } from "@effect/vitest"
import { dispatchToolCall } from "../../../src/dispatch/dispatchToolCall.ts"
import { drive, unstoppable } from "../../../src/ports/Steps.ts"
import { LedgerWriter } from "../../../src/store/RunLedger.ts"
import { callOf, dispatched, recordingLedger, scopeFor, tool } from "../dispatching.ts"

describe("recordToolCall", () => {
  it("P23: every row is redacted and says whether a redactor was active", async () => {
    const trial = { tools: [tool("t", (_, context) => (void context.progress?.("sk-1"), "sk-1"))] }
    const open = await dispatched(callOf("t", { key: "sk-1" }), trial)
    for (const row of open.rows) assert.isFalse(row.redacted)
    const hidden = await dispatched(callOf("t", { key: "sk-1" }), { ...trial, secrets: ["sk-1"] })
    for (const row of hidden.rows) assert.isTrue(row.redacted)
    assert.strictEqual(hidden.rows.length, 3)
    assert.notInclude(JSON.stringify([hidden.rows, hidden.events]), "sk-1")
    const none = await dispatched(callOf("t"), { ...trial, secrets: [undefined, ""] })
    for (const row of none.rows) assert.isFalse(row.redacted)
  })

  it("P23: every row carries the ownership, and an id of its own", async () => {
    const ownership = { tenantId: "t1", userId: "u1" }
    const { rows } = await dispatched(callOf("t"), { tools: [tool("t")], ownership })
    for (const row of rows) assert.deepInclude(row, ownership)
    assert.strictEqual(new Set(rows.map((row) => row.id)).size, 2)
    for (const row of rows) assert.match(row.id, /^toolcall_[0-9a-f-]{36}$/)
  })

  it("T15, T19: rows of one dispatch share startedAt; only the last has an end, only progress its time", () => {
    let now = 0
    const { ledger, rows } = recordingLedger()
    const { scope } = scopeFor([tool("t", (_, context) => void context.progress?.(1, { of: 2 }))], {
      ledger: new LedgerWriter(ledger, unstoppable),
      now: () => (now += 1000)
    })
    void drive(dispatchToolCall(scope, callOf("t", { a: 1 })), unstoppable)
    const common = {
      id: "",
      sessionId: "s",
      runId: "r",
      toolCallId: "call-t",
      name: "t",
      arguments: { a: 1 },
      redacted: false
    }
    const [started, progress, finished] = rows.map((row) => Object.assign({}, row, { id: "" }))
    assert.deepEqual(started, { ...common, status: "started", startedAt: "1970-01-01T00:00:01.000Z" })
    assert.deepEqual(progress, {
      ...common,
      status: "started",
      startedAt: "1970-01-01T00:00:01.000Z",
      progress: 1,
      progressMetadata: { of: 2 },
      progressAt: "1970-01-01T00:00:03.000Z"
    })
    assert.deepInclude(finished, { ...common, status: "finished", startedAt: "1970-01-01T00:00:01.000Z" })
    assert.strictEqual(finished?.finishedAt, "1970-01-01T00:00:05.000Z")
  })
})
