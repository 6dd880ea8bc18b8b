import { assert, describe, it } from "@effect/vitest"
import type { SessionEntry } from "../../src/records/SessionEntry.ts"
import { createSessionEntry } from "../../src/store/createSessionEntry.ts"

const base = { sessionId: "s", kind: "label", label: "start" } as const

describe("createSessionEntry", () => {
  it("P18: takes over documented fields only: no provider, request or credential of the object it was given", () => {
    const entry = createSessionEntry({
      ...base,
      id: "e1",
      timestamp: "2026-01-01T00:00:00.000Z",
      provider: { id: "mock" },
      request: {},
      credentials: "secret"
    } as never)
    assert.deepEqual(entry, {
      id: "e1",
      sessionId: "s",
      timestamp: "2026-01-01T00:00:00.000Z",
      kind: "label",
      label: "start"
    })
  })

  it("D18: makes an id and the time of the clock where none is given", () => {
    const before = Date.now()
    const entry = createSessionEntry(base)
    assert.match(entry.id, /^entry_[0-9a-f-]{36}$/)
    assert.strictEqual(new Date(entry.timestamp).toISOString(), entry.timestamp)
    assert.isAtLeast(Date.parse(entry.timestamp), before)
    assert.isAtMost(Date.parse(entry.timestamp), Date.now())
    assert.notStrictEqual(createSessionEntry(base).id, entry.id)
  })

  it("P1: uses createId and now, a given id and timestamp win", () => {
    const made = createSessionEntry({ ...base, createId: () => "mine", now: () => 1000 })
    assert.deepEqual(made, {
      id: "mine",
      sessionId: "s",
      timestamp: "1970-01-01T00:00:01.000Z",
      kind: "label",
      label: "start"
    })
    assert.strictEqual(createSessionEntry({ ...base, now: () => new Date(0) }).timestamp, "1970-01-01T00:00:00.000Z")
    assert.strictEqual(createSessionEntry({ ...base, now: "2026-01-01T00:00:00Z" }).timestamp, "2026-01-01T00:00:00Z")
    const given = createSessionEntry({ ...base, id: "e", timestamp: "t", createId: () => "no", now: () => 0 })
    assert.deepEqual([given.id, given.timestamp], ["e", "t"])
  })

  it("P1: keeps every documented field", () => {
    const full: SessionEntry = {
      id: "e2",
      parentId: "e1",
      sessionId: "s",
      timestamp: "t",
      kind: "custom",
      schemaVersion: 1,
      runId: "r",
      message: { role: "user", content: [] },
      event: { type: "agent_started", sessionId: "s", runId: "r" },
      model: { provider: "p", model: "m" },
      previousModel: { provider: "p", model: "n" },
      label: "l",
      summary: "sum",
      data: { any: 1 },
      metadata: { host: true }
    }
    assert.deepEqual(createSessionEntry(full), full)
  })
})
