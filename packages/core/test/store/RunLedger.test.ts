import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LedgerError } from "../../src/errors/LedgerError.ts"
import type { HostValue } from "../../src/ports/HostValue.ts"
import type { RunLedgerPort } from "../../src/ports/RunLedgerPort.ts"
import { unstoppable } from "../../src/ports/Steps.ts"
import type { ToolCallRecord } from "../../src/records/LedgerRecords.ts"
import { LedgerWriter, RunLedger } from "../../src/store/RunLedger.ts"
import { gate, rejection, settle, throwing, untyped } from "../dispatch/dispatching.ts"

const row = (id: string): ToolCallRecord => ({
  id,
  sessionId: "s",
  toolCallId: "c",
  name: "n",
  arguments: {},
  startedAt: "2026-01-01T00:00:00.000Z",
  redacted: false
})

/** A writer over a ledger that keeps the ids of its rows and answers as the test says. */
const writing = (answer: (row: ToolCallRecord) => HostValue<void>) => {
  const ids: Array<string> = []
  const ledger: RunLedgerPort = {
    appendRun: () => undefined,
    appendEvent: () => undefined,
    appendToolCall: (record) => {
      ids.push(record.id)
      return answer(record)
    },
    appendUsage: () => undefined
  }
  const writer = new LedgerWriter(ledger, unstoppable)
  return { ids, write: (id: string) => writer.write((port) => port.appendToolCall(row(id))) }
}

describe("LedgerWriter", () => {
  it("P24: a ledger that throws fails the row with a LedgerError, and is not asked again", () => {
    const cause = new Error("disk full")
    const { ids, write } = writing(throwing(cause))
    assert.throws(() => write("a"), LedgerError, "Run ledger failed: disk full")
    assert.throws(() => write("b"), LedgerError, "Run ledger failed: disk full")
    assert.deepEqual(ids, ["a"])
  })

  it("P24: a ledger that rejects, or whose Effect fails, fails the row and every later one", async () => {
    for (const answer of [() => Promise.reject(new Error("down")), () => Effect.fail(new Error("down"))]) {
      const { ids, write } = writing(answer)
      assert.propertyVal(await rejection(Promise.resolve(write("a"))), "message", "Run ledger failed: down")
      assert.throws(() => write("b"), LedgerError, "Run ledger failed: down")
      assert.deepEqual(ids, ["a"])
    }
  })

  it("P24: rows that wait behind one that fails are not written", async () => {
    const first = gate()
    const { ids, write } = writing(() => first.promise)
    const answers = ["a", "b", "c"].map((id) => rejection(Promise.resolve(write(id))))
    first.reject(new Error("down"))
    const errors = await Promise.all(answers)
    for (const error of errors) assert.propertyVal(error, "code", "ERR_PRISM_LEDGER")
    assert.deepEqual(ids, ["a"])
  })

  it("P24: a failure that nobody waits for is no unhandled rejection", async () => {
    const { write } = writing(() => Promise.reject(new Error("down")))
    void write("a")
    await settle()
    assert.throws(() => write("b"), LedgerError)
  })

  it("P21: a slow ledger gets one row after the other, in the order of writing", async () => {
    const gates = new Map(["a", "b", "c"].map((id) => [id, gate()]))
    const { ids, write } = writing(({ id }) => gates.get(id)?.promise)
    const answers = ["a", "b", "c"].map((id) => Promise.resolve(write(id)))
    await settle()
    assert.deepEqual(ids, ["a"])
    gates.get("b")?.resolve()
    await settle()
    assert.deepEqual(ids, ["a"])
    gates.get("a")?.resolve()
    await settle()
    assert.deepEqual(ids, ["a", "b", "c"])
    gates.get("c")?.resolve()
    await Promise.all(answers)
  })

  it("P21: a row that comes while the last one is being settled keeps its place", async () => {
    const { ids, write } = writing(({ id }) => (id === "c" ? undefined : Promise.resolve()))
    const first = write("a")
    void Promise.resolve(first).then(() => write("b"))
    await settle()
    await write("c")
    assert.deepEqual(ids, ["a", "b", "c"])
  })

  it("P21: a ledger that answers at once makes nobody wait", () => {
    const { write } = writing(() => undefined)
    assert.isUndefined(write("a"))
    assert.isUndefined(write("b"))
  })

  it("P25: a ledger of array pushes, which answers with a length, works", () => {
    const rows: Array<ToolCallRecord> = []
    const { write } = writing((record) => untyped<void>(rows.push(record)))
    assert.isUndefined(write("a"))
    assert.isUndefined(write("b"))
    assert.deepEqual(
      rows.map((record) => record.id),
      ["a", "b"]
    )
  })
})

describe("RunLedger", () => {
  it.effect("P19: a host of Effects provides the ledger; by default there is none", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* RunLedger)
      const ledger = untyped<RunLedgerPort>({})
      assert.strictEqual(yield* RunLedger.pipe(Effect.provideService(RunLedger, ledger)), ledger)
      assert.strictEqual(RunLedger.key, "@arnilo/prism-core/store/RunLedger")
    })
  )
})
