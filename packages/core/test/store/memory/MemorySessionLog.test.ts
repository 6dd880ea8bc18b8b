import { assert, describe, it } from "@effect/vitest"
import type { SessionEntry } from "../../../src/records/SessionEntry.ts"
import { MemorySessionLog } from "../../../src/store/memory/MemorySessionLog.ts"

const entry = (id: string, parentId?: string, sessionId = "s"): SessionEntry => ({
  id,
  ...(parentId !== undefined && { parentId }),
  sessionId,
  timestamp: "t",
  kind: "label",
  label: id
})

const chain = (length: number, sessionId = "s", prefix = "e"): Array<SessionEntry> =>
  Array.from({ length }, (_, at) => entry(`${prefix}${at}`, at === 0 ? undefined : `${prefix}${at - 1}`, sessionId))

describe("MemorySessionLog", () => {
  it("P9: refuses a duplicate id at every size, in every session, and writes nothing", () => {
    for (const size of [1, 5, 12, 13, 14, 40]) {
      const log = new MemorySessionLog()
      for (const each of chain(size)) log.append(each)
      log.append(entry("other", undefined, "t"))
      for (const id of ["e0", `e${size - 1}`, "other"]) {
        for (const sessionId of ["s", "t", "u"]) {
          assert.throws(() => log.append(entry(id, undefined, sessionId)), `Duplicate session entry id: ${id}`)
        }
      }
      assert.strictEqual(log.list("s").length, size)
      assert.strictEqual(log.list("t").length, 1)
      assert.strictEqual(log.list("u").length, 0)
    }
  })

  it("P3: keeps the runtime's own entry, and a read list is its reader's own", () => {
    const log = new MemorySessionLog()
    const own = entry("a")
    assert.isUndefined(log.append(own))
    assert.strictEqual(log.get("a"), own)
    const read = log.read("s")
    assert.strictEqual(read[0], own)
    read.length = 0
    assert.strictEqual(log.list("s").length, 1)
  })

  it("P1, P13: reads the branch of a leaf of one session, at every size", () => {
    for (const size of [1, 12, 13, 200]) {
      const log = new MemorySessionLog()
      for (const each of chain(size, "other", "o")) log.append(each)
      const entries = chain(size)
      for (const each of entries) log.append(each)
      assert.deepEqual(log.read("s"), entries)
      assert.deepEqual(log.read("s", "e0"), entries.slice(0, 1))
      log.append(entry("fork", "e0"))
      log.append(entry("fork2", "fork"))
      assert.deepEqual(
        log.read("s").map(({ id }) => id),
        ["e0", "fork", "fork2"]
      )
      assert.deepEqual(log.read("s", `e${size - 1}`), entries)
      assert.throws(() => log.read("s", "o0"), "Unknown session leaf: o0")
    }
    assert.deepEqual(new MemorySessionLog().read("none"), [])
  })

  it("P2: a parent that is missing or its own descendant fails the read", () => {
    const log = new MemorySessionLog()
    log.append(entry("a", "gone"))
    assert.throws(() => log.read("s"), "Missing session parent: gone")
    log.append(entry("b", "c"))
    log.append(entry("c", "b"))
    assert.throws(() => log.read("s"), "Session parents form a cycle at: ")
  })
})
