import { assert, describe, it } from "@effect/vitest"
import type { SessionEntry } from "../../src/records/SessionEntry.ts"
import { rebuildSessionContext } from "../../src/store/branches.ts"
import { cloneBranch } from "../../src/store/cloneBranch.ts"

const row = (id: string, parentId: string | undefined, rest: Partial<SessionEntry>): SessionEntry => ({
  id,
  ...(parentId !== undefined && { parentId }),
  sessionId: "s",
  timestamp: `time of ${id}`,
  kind: "message",
  ...rest
})
const said = (text: string): Partial<SessionEntry> => ({
  message: { role: "user", content: [{ type: "text", text }] },
  runId: "r"
})
const branch: ReadonlyArray<SessionEntry> = [
  row("a", undefined, said("one")),
  row("b", "a", said("two")),
  row("c", "b", said("three")),
  row("x", "c", {
    kind: "compaction",
    summary: "short",
    data: { throughEntryId: "b", keepEntryIds: ["a", "elsewhere"], strategy: "mine" }
  }),
  row("d", "x", { kind: "custom", data: { throughEntryId: "b" }, metadata: { at: "b" } })
]

const counter = () => {
  let made = 0
  return () => `new${made++}`
}

describe("cloneBranch", () => {
  it("S28: leaves the source unchanged and shares nothing with it", () => {
    const before = structuredClone(branch)
    const clone = cloneBranch(branch, { sessionId: "t" })
    assert.deepEqual(branch, before)
    assert.notStrictEqual(clone[0]?.message, branch[0]?.message)
    assert.notStrictEqual(clone[4]?.data, branch[4]?.data)
  })

  it("S28: new ids, parents and session; the same order, kinds, timestamps and payloads", () => {
    const clone = cloneBranch(branch, { sessionId: "t", createId: counter() })
    assert.deepEqual(clone[1], { ...branch[1], id: "new1", parentId: "new0", sessionId: "t" } as SessionEntry)
    assert.deepEqual(
      clone.map(({ id, kind, parentId, timestamp }) => [id, parentId, kind, timestamp]),
      [
        ["new0", undefined, "message", "time of a"],
        ["new1", "new0", "message", "time of b"],
        ["new2", "new1", "message", "time of c"],
        ["new3", "new2", "compaction", "time of x"],
        ["new4", "new3", "custom", "time of d"]
      ]
    )
    assert.isFalse("parentId" in (clone[0] ?? {}))
    assert.deepEqual(clone[4]?.data, { throughEntryId: "b" })
    for (const { id } of cloneBranch(branch, { sessionId: "t" })) assert.match(id, /^entry_[0-9a-f-]{36}$/)
  })

  it("S28: ids in a compaction's data name the clones, so the same context is rebuilt", () => {
    const clone = cloneBranch(branch, { sessionId: "t", createId: counter() })
    assert.deepEqual(clone[3]?.data, {
      throughEntryId: "new1",
      keepEntryIds: ["new0", "elsewhere"],
      strategy: "mine"
    })
    const { messages, summaries } = rebuildSessionContext(branch)
    const rebuilt = rebuildSessionContext(clone)
    assert.strictEqual(messages.length, 2)
    assert.deepEqual([rebuilt.messages, rebuilt.summaries], [messages, summaries])
  })

  it("S28: an empty branch clones to nothing, and malformed compaction data stays as it is", () => {
    assert.deepEqual(cloneBranch([], { sessionId: "t" }), [])
    const malformed = [row("a", undefined, { kind: "compaction", summary: "s", data: { throughEntryId: 1 } })]
    assert.deepEqual(cloneBranch(malformed, { sessionId: "t" })[0]?.data, { throughEntryId: 1 })
  })
})
