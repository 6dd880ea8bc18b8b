import { assert, describe, it } from "@effect/vitest"
import { sessionEntryFault } from "../../src/store/sessionEntryFault.ts"

const row = { id: "a", sessionId: "s", timestamp: "t" }

describe("sessionEntryFault", () => {
  it("P17: names the first thing that makes a value no entry", () => {
    const faults: ReadonlyArray<readonly [unknown, string]> = [
      [null, "entry must be an object"],
      [[], "entry must be an object"],
      ["text", "entry must be an object"],
      [{ ...row, id: 1 }, "id must be a string"],
      [{ id: "a", timestamp: "t" }, "sessionId must be a string"],
      [{ ...row, timestamp: 5 }, "timestamp must be a string"],
      [row, "kind must be a string"],
      [{ ...row, kind: "nope" }, "unknown kind nope"],
      [{ ...row, kind: "toString" }, "unknown kind toString"],
      [{ ...row, kind: "label", label: "l", parentId: 1 }, "parentId must be a string"],
      [{ ...row, kind: "label", label: "l", schemaVersion: 2 }, "schemaVersion must be 1"],
      [{ ...row, kind: "message", message: "hi" }, "message must be an object"],
      [{ ...row, kind: "message" }, "message must be an object"],
      [{ ...row, kind: "summary", summary: {} }, "summary must be a string"],
      [{ ...row, kind: "model_change", model: [] }, "model must be an object"],
      [{ ...row, kind: "label" }, "label must be a string"],
      [{ ...row, kind: "event", event: {} }, "event must be an object with a type"],
      [{ ...row, kind: "custom", data: [] }, "data must be an object"],
      [{ ...row, kind: "metadata", data: "x" }, "data must be an object"],
      [{ ...row, kind: "compaction", summary: "s", data: null }, "data must be an object"]
    ]
    for (const [value, fault] of faults) assert.strictEqual(sessionEntryFault(value), fault)
  })

  it("P17: every kind with its payload is an entry", () => {
    const entries = [
      { ...row, kind: "message", message: { role: "user", content: [] }, schemaVersion: 1, parentId: "p" },
      { ...row, kind: "summary", summary: "" },
      { ...row, kind: "model_change", model: { provider: "p", model: "m" } },
      { ...row, kind: "label", label: "l", unknown: true },
      { ...row, kind: "event", event: { type: "anything" } },
      { ...row, kind: "custom", data: {} },
      { ...row, kind: "metadata", data: {} },
      { ...row, kind: "compaction", data: {} }
    ]
    for (const entry of entries) assert.isUndefined(sessionEntryFault(entry))
  })
})
