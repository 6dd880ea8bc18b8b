import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { SessionEntry } from "../../src/records/SessionEntry.ts"
import {
  getSessionBranchEntries,
  listSessionBranches,
  readBranchSteps,
  rebuildSessionContext,
  type SessionBranchReader
} from "../../src/store/branches.ts"
import { createMemorySessionStore } from "../../src/store/memory/MemorySessionStore.ts"
import { MemorySessionLog } from "../../src/store/memory/MemorySessionLog.ts"

const row = (id: string, parentId?: string): SessionEntry => ({
  id,
  ...(parentId !== undefined && { parentId }),
  sessionId: "s",
  timestamp: "t",
  kind: "message",
  message: { role: "user", content: [{ type: "text", text: id }] }
})
const ids = (entries: ReadonlyArray<{ readonly id: string }>) => entries.map(({ id }) => id)
const tree = [row("a"), row("b", "a"), row("c", "b"), row("d", "a"), row("e", "d")]

const message = async (run: () => Promise<unknown>): Promise<string> => {
  try {
    await run()
  } catch (error) {
    return (error as Error).message
  }
  return assert.fail("must reject")
}

const endless = (last: number): SessionBranchReader => ({
  readBranchPath: ({ cursor }) => {
    const at = Number(cursor ?? 1)
    const items = [row(`e${at}`, at === 1 ? undefined : `e${at - 1}`)]
    return at === last ? { items } : { items, nextCursor: String(at + 1) }
  }
})

const page = (...items: Array<SessionEntry>): SessionBranchReader => ({ readBranchPath: () => ({ items }) })
const faultOf = (reader: SessionBranchReader, leafId?: string) =>
  message(() => getSessionBranchEntries(reader, { sessionId: "s", leafId }))

describe("getSessionBranchEntries", () => {
  it("P2: fails on an unknown leaf, a missing parent anywhere and a duplicate id anywhere", () => {
    assert.throws(() => getSessionBranchEntries(tree, { leafId: "z" }), "Unknown session leaf: z")
    assert.throws(() => getSessionBranchEntries([], { leafId: "z" }), "Unknown session leaf: z")
    const orphan = [...tree, row("x", "gone")]
    assert.throws(() => getSessionBranchEntries(orphan, { leafId: "b" }), "Missing session parent: gone")
    assert.throws(() => getSessionBranchEntries([...tree, row("b")], { leafId: "c" }), "Duplicate session entry id: b")
    assert.throws(() => getSessionBranchEntries([row("x", "y"), row("y", "x")]), "Session parents form a cycle at: ")
  })

  it("P1: is the parent chain of the leaf, the last entry by default, in whatever order entries are listed", () => {
    assert.deepEqual(ids(getSessionBranchEntries(tree)), ["a", "d", "e"])
    assert.deepEqual(ids(getSessionBranchEntries(tree, { leafId: "c" })), ["a", "b", "c"])
    assert.deepEqual(ids(getSessionBranchEntries(tree, { leafId: "a" })), ["a"])
    assert.deepEqual(ids(getSessionBranchEntries(tree.toReversed(), { leafId: "c" })), ["a", "b", "c"])
    assert.deepEqual(ids(getSessionBranchEntries(tree.toReversed())), ["a"])
    assert.deepEqual(getSessionBranchEntries([]), [])
  })

  it("P3, S25: gives copies", () => {
    const branch = getSessionBranchEntries(tree)
    assert.deepEqual(branch[0], row("a"))
    assert.notStrictEqual(branch[0], tree[0])
    assert.notStrictEqual(branch[0]?.message, tree[0]?.message)
  })

  it("P8: follows the pages of a store, in any order of entries", async () => {
    const cursors: Array<string | undefined> = []
    const pages = [[row("c", "b")], [row("a")], [row("b", "a")]]
    const reader: SessionBranchReader = {
      readBranchPath: ({ cursor, leafId, sessionId }) => {
        cursors.push(cursor)
        assert.deepEqual([sessionId, leafId], ["s", undefined])
        const at = Number(cursor ?? 0)
        const items = pages[at] ?? []
        return at < 2 ? { items, nextCursor: String(at + 1) } : Promise.resolve({ items })
      },
      list: () => assert.fail("readBranchPath is preferred")
    }
    assert.deepEqual(ids(await getSessionBranchEntries(reader, { sessionId: "s" })), ["a", "b", "c"])
    assert.deepEqual(cursors, [undefined, "1", "2"])
  })

  it("P8: reads 64 pages and no more", async () => {
    assert.strictEqual((await getSessionBranchEntries(endless(64), { sessionId: "s" })).length, 64)
    assert.strictEqual(
      await message(() => getSessionBranchEntries(endless(65), { sessionId: "s" })),
      "Session branch has too many pages: s"
    )
  })

  it("P8: applies the checks to what a store gave", async () => {
    assert.strictEqual(await faultOf(page(row("b", "a"))), "Missing session parent: a")
    assert.strictEqual(await faultOf(page(row("a"), row("a"))), "Duplicate session entry id: a")
    assert.strictEqual(await faultOf(page(row("a")), "b"), "Unknown session leaf: b")
    assert.strictEqual(await faultOf(page(), "b"), "Unknown session leaf: b")
    assert.strictEqual(await faultOf({ list: () => Effect.succeed(tree) }, "z"), "Unknown session leaf: z")
  })

  it("P8: reads a store that can only list, whatever its answer is", async () => {
    const lists = [() => tree, () => Promise.resolve(tree), () => Effect.succeed(tree)]
    const read = lists.map((list) => getSessionBranchEntries({ list }, { sessionId: "s", leafId: "c" }))
    for (const branch of await Promise.all(read)) {
      assert.deepEqual(ids(branch), ["a", "b", "c"])
      assert.notStrictEqual(branch[0], tree[0])
    }
    class Store {
      readonly rows = tree
      list() {
        return this.rows
      }
    }
    class PagedStore {
      readonly rows = tree
      readBranchPath() {
        return { items: this.rows }
      }
    }
    assert.deepEqual(ids(await getSessionBranchEntries(new Store(), { sessionId: "s" })), ["a", "d", "e"])
    assert.deepEqual(ids(await getSessionBranchEntries(new PagedStore(), { sessionId: "s" })), ["a", "d", "e"])
  })
})

describe("readBranchSteps", () => {
  it("S26, S29, S56: gives the branch of a leaf, or of the newest entry, without waiting and without a copy", () => {
    const log = new MemorySessionLog()
    for (const each of tree) log.append(each)
    const newest = readBranchSteps(log, { sessionId: "s" }).next()
    assert.isTrue(newest.done)
    assert.deepEqual(ids(newest.value ?? []), ["a", "d", "e"])
    assert.strictEqual((newest.value ?? [])[0], tree[0])
    const older = readBranchSteps(log, { sessionId: "s", leafId: "c" }).next()
    assert.deepEqual(ids(older.value as ReadonlyArray<SessionEntry>), ["a", "b", "c"])
    assert.deepEqual(readBranchSteps(log, { sessionId: "empty" }).next().value, [])
    assert.throws(() => readBranchSteps(log, { sessionId: "s", leafId: "z" }).next(), "Unknown session leaf: z")
  })
})

describe("listSessionBranches", () => {
  it("P4: gives one branch per entry that is nobody's parent, in the order of the list", () => {
    assert.deepEqual(
      listSessionBranches(tree).map(({ entries, leafId }) => [leafId, ids(entries)]),
      [
        ["c", ["a", "b", "c"]],
        ["e", ["a", "d", "e"]]
      ]
    )
    assert.deepEqual(listSessionBranches([]), [])
  })

  it("P2, P3: checks the entries and gives copies", () => {
    assert.throws(() => listSessionBranches([row("b", "a")]), "Missing session parent: a")
    assert.notStrictEqual(listSessionBranches(tree)[0]?.entries[0], tree[0])
  })
})

const texts = (messages: ReadonlyArray<{ readonly content: ReadonlyArray<unknown> }>) =>
  messages.map(({ content }) => (content[0] as { readonly text: string }).text)
const summary = (id: string, parentId: string, text = id): SessionEntry => ({
  id,
  parentId,
  sessionId: "s",
  timestamp: "t",
  kind: "summary",
  summary: text
})
const compaction = (id: string, parentId: string, text: unknown, data: unknown): SessionEntry =>
  ({ id, parentId, sessionId: "s", timestamp: "t", kind: "compaction", summary: text, data }) as SessionEntry

describe("rebuildSessionContext", () => {
  it("P7: malformed compaction data makes the entry invisible", () => {
    const malformed = [
      undefined,
      null,
      "text",
      [],
      { throughEntryId: 1 },
      { throughEntryId: null },
      { keepEntryIds: "a" },
      { keepEntryIds: [1] },
      { strategy: 1 },
      { trigger: {} }
    ]
    for (const data of malformed) {
      const log = [row("a"), compaction("x", "a", "short", data), row("b", "x")]
      const context = rebuildSessionContext(log)
      assert.deepEqual([texts(context.messages), context.summaries], [["a", "b"], []], JSON.stringify(data))
    }
    const earlier = [row("a"), compaction("x", "a", "good", { throughEntryId: "a" }), row("b", "x")]
    const hidden = [...earlier, compaction("y", "b", "bad", { throughEntryId: 7 })]
    assert.deepEqual(texts(rebuildSessionContext(hidden).messages), ["b"])
    assert.deepEqual(rebuildSessionContext(hidden).summaries, ["good"])
  })

  it("P6: a compaction without a summary does not count", () => {
    for (const empty of ["", undefined, 3]) {
      const log = [row("a"), compaction("x", "a", empty, { throughEntryId: "a" }), row("b", "x")]
      assert.deepEqual(texts(rebuildSessionContext(log).messages), ["a", "b"])
      assert.deepEqual(rebuildSessionContext(log).summaries, [])
    }
  })

  it("P5: without a compaction all messages and summaries count", () => {
    const log = [row("a"), summary("s1", "a"), row("b", "s1"), { ...row("l", "b"), kind: "label" as const }]
    const context = rebuildSessionContext(log)
    assert.deepEqual(texts(context.messages), ["a", "b"])
    assert.deepEqual(context.summaries, ["s1"])
    assert.deepEqual(ids(context.entries), ["a", "s1", "b", "l"])
    assert.strictEqual(context.leafId, "l")
    assert.deepEqual(rebuildSessionContext([]), { entries: [], messages: [], summaries: [] })
  })

  it("P6: the latest compaction is its summary, what it kept and what came after", () => {
    const log = [
      row("a"),
      summary("s1", "a"),
      row("b", "s1"),
      row("c", "b"),
      compaction("x", "c", "first", { throughEntryId: "b" }),
      row("d", "x"),
      summary("s2", "d"),
      row("e", "s2"),
      compaction("y", "e", "second", { throughEntryId: "d", keepEntryIds: ["c", "a", "s1"], trigger: "auto" }),
      row("f", "y")
    ]
    const context = rebuildSessionContext(log)
    assert.deepEqual(texts(context.messages), ["a", "c", "e", "f"])
    assert.deepEqual(context.summaries, ["second", "s2"])
    assert.strictEqual(context.entries.length, 10)
    const older = rebuildSessionContext(log, { leafId: "d" })
    assert.deepEqual(texts(older.messages), ["c", "d"])
    assert.deepEqual(older.summaries, ["first"])
  })

  it("P6: a compaction that names no last entry covers nothing", () => {
    const log = [row("a"), summary("s1", "a"), compaction("x", "s1", "all", {}), row("b", "x")]
    assert.deepEqual(texts(rebuildSessionContext(log).messages), ["a", "b"])
    assert.deepEqual(rebuildSessionContext(log).summaries, ["all", "s1"])
  })

  it("P3, P8: reads a store and gives copies", async () => {
    const store = createMemorySessionStore(tree)
    const context = await rebuildSessionContext(store, { sessionId: "s", leafId: "c" })
    assert.deepEqual(texts(context.messages), ["a", "b", "c"])
    assert.strictEqual(context.leafId, "c")
    const local = rebuildSessionContext(tree)
    assert.notStrictEqual(local.messages[0], tree[0]?.message)
    assert.strictEqual(
      await message(() => rebuildSessionContext(store, { sessionId: "s", leafId: "z" })),
      "Unknown session leaf: z"
    )
  })
})
