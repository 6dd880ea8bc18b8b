import { assert, describe, it } from "@effect/vitest"
import {
  isSessionAppendConflict,
  type SessionAppendConflict,
  type SessionAppendConflictError
} from "../../../src/errors/SessionAppendConflictError.ts"
import type { SessionEntry } from "../../../src/records/SessionEntry.ts"
import { createMemorySessionStore, memorySessionLog } from "../../../src/store/memory/MemorySessionStore.ts"

const entry = (id: string, parentId?: string, sessionId = "s"): SessionEntry => ({
  id,
  ...(parentId !== undefined && { parentId }),
  sessionId,
  timestamp: "t",
  kind: "message",
  message: { role: "user", content: [{ type: "text", text: id }] }
})
const ids = (entries: ReadonlyArray<SessionEntry>) => entries.map(({ id }) => id)

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("must reject"),
    (error: unknown) => error
  )
const conflictOf = async (promise: Promise<unknown>) => {
  const error = await rejection(promise)
  assert.isTrue(isSessionAppendConflict(error))
  return (error as SessionAppendConflictError).conflict
}

const edit = (given: SessionEntry | undefined) => {
  const block = given?.message?.content[0] as { text: string }
  block.text = "edited"
}

const messageOf = async (promise: Promise<unknown>) => ((await rejection(promise)) as Error).message

describe("createMemorySessionStore", () => {
  it("P9: rejects a duplicate id and writes nothing", async () => {
    const store = createMemorySessionStore([entry("a")])
    const error = await rejection(store.append(entry("a")))
    assert.strictEqual((error as Error).message, "Duplicate session entry id: a")
    assert.isFalse(isSessionAppendConflict(error))
    assert.throws(() => createMemorySessionStore([entry("a"), entry("a")]), "Duplicate session entry id: a")
    assert.deepEqual(ids(await store.list("s")), ["a"])
  })

  it("P9: rejects an expected parent that the same session does not have, with its id, and writes nothing", async () => {
    const store = createMemorySessionStore([entry("a"), entry("b", "a"), entry("x", undefined, "other")])
    assert.deepEqual(await conflictOf(store.append(entry("c"), { expectedParentId: "gone" })), {
      code: "session_append_conflict",
      expectedParentId: "gone",
      currentLeafId: "b"
    })
    assert.strictEqual(
      (await conflictOf(store.append(entry("c"), { expectedParentId: "x", idempotencyKey: "k" }))).expectedParentId,
      "x"
    )
    assert.deepEqual(await conflictOf(store.append(entry("c", undefined, "new"), { expectedParentId: "a" })), {
      code: "session_append_conflict",
      expectedParentId: "a"
    })
    assert.deepEqual(ids(await store.list("s")), ["a", "b"])
    // A rejected append used up neither the id nor the key.
    await store.append(entry("c", "a"), { expectedParentId: "a", idempotencyKey: "k" })
  })

  it("P10: any entry of the session may be the expected parent", async () => {
    const store = createMemorySessionStore([entry("a"), entry("b", "a")])
    await store.append(entry("c", "b"), { expectedParentId: "b" })
    await store.append(entry("fork", "a"), { expectedParentId: "a" })
    assert.deepEqual(ids(await store.list("s")), ["a", "b", "c", "fork"])
  })

  it("P11: an exact repeat of session, key and parent conflicts; any difference does not", async () => {
    const store = createMemorySessionStore([entry("a")])
    const options = { expectedParentId: "a", idempotencyKey: "run" }
    await store.append(entry("b", "a"), options)
    const repeat: SessionAppendConflict = {
      code: "session_append_conflict",
      expectedParentId: "a",
      currentLeafId: "b",
      idempotencyDuplicate: true
    }
    assert.deepEqual(await conflictOf(store.append(entry("b", "a"), options)), repeat)
    assert.deepEqual(await conflictOf(store.append(entry("b2", "a"), options)), repeat)
    await store.append(entry("c", "b"), { expectedParentId: "b", idempotencyKey: "run" })
    await store.append(entry("d", "a"), { expectedParentId: "a", idempotencyKey: "other" })
    await store.append(entry("e", "a"), { expectedParentId: "a" })
    await store.append(entry("f", "a"), { expectedParentId: "a" })
    await store.append(entry("g", undefined, "t"), { idempotencyKey: "run" })
    assert.isTrue(
      (await conflictOf(store.append(entry("h", undefined, "t"), { idempotencyKey: "run" }))).idempotencyDuplicate
    )
    await store.append(entry("i", undefined, "u"), { idempotencyKey: "run" })
    assert.deepEqual(ids(await store.list("s")), ["a", "b", "c", "d", "e", "f"])
  })

  it("P13: keeps sessions apart, and an unknown one is empty", async () => {
    const store = createMemorySessionStore()
    const numbers = Array.from({ length: 20 }, (_, at) => at)
    await Promise.all(
      numbers.flatMap((at) => ["a", "b"].map((session) => store.append(entry(`${session}${at}`, undefined, session))))
    )
    assert.deepEqual(
      ids(await store.list("b")),
      numbers.map((at) => `b${at}`)
    )
    assert.deepEqual(await store.list("nobody"), [])
    assert.deepEqual(await store.readBranchPath({ sessionId: "nobody" }), { items: [], total: 0 })
    assert.isUndefined(await store.get("nothing"))
  })

  it("P3: copies in and out", async () => {
    const initial = entry("a")
    const appended = entry("b", "a")
    const store = createMemorySessionStore([initial])
    await store.append(appended)
    edit(initial)
    edit(appended)
    for (const each of await store.list("s")) edit(each)
    for (const each of (await store.readBranchPath({ sessionId: "s" })).items) edit(each)
    edit(await store.get("a"))
    const texts = (await store.list("s")).map(({ message }) => message?.content)
    assert.deepEqual(texts, [[{ type: "text", text: "a" }], [{ type: "text", text: "b" }]])
  })

  it("P8: pages one branch, root first, and an append between pages does not move it", async () => {
    const store = createMemorySessionStore([entry("a"), entry("b", "a"), entry("x", "a"), entry("c", "b")])
    assert.deepEqual(ids((await store.readBranchPath({ sessionId: "s" })).items), ["a", "b", "c"])
    assert.deepEqual(ids((await store.readBranchPath({ sessionId: "s", leafId: "x" })).items), ["a", "x"])
    const first = await store.readBranchPath({ sessionId: "s", limit: 2 })
    assert.deepEqual([ids(first.items), first.total], [["a", "b"], 3])
    await store.append(entry("y", "x"))
    const second = await store.readBranchPath({ sessionId: "s", limit: 2, cursor: first.nextCursor })
    assert.deepEqual(ids(second.items), ["c"])
    assert.isFalse("nextCursor" in second)
    const whole = await store.readBranchPath({ sessionId: "s", limit: 3 })
    assert.isFalse("nextCursor" in whole)
  })

  it("P2: refuses an unknown leaf, a cursor it did not give out and a limit that is no count", async () => {
    const store = createMemorySessionStore([entry("a")])
    assert.strictEqual(
      await messageOf(store.readBranchPath({ sessionId: "s", leafId: "z" })),
      "Unknown session leaf: z"
    )
    assert.strictEqual(
      await messageOf(store.readBranchPath({ sessionId: "s", cursor: "z" })),
      "Invalid branch cursor: z"
    )
    const limits = [0, -1, 1.5, Number.NaN]
    assert.deepEqual(
      await Promise.all(limits.map((limit) => messageOf(store.readBranchPath({ sessionId: "s", limit })))),
      limits.map((limit) => `Branch limit must be a positive safe integer, not: ${limit}`)
    )
  })

  it("P12: the runtime reaches the log of a store, but not past a wrapper of it", async () => {
    const store = createMemorySessionStore([entry("a")])
    memorySessionLog(store)?.append(entry("b", "a"), { expectedParentId: "a" })
    assert.deepEqual(ids(await store.list("s")), ["a", "b"])
    assert.isUndefined(memorySessionLog({ ...store, append: () => Promise.reject(new Error("read only")) }))
  })
})
