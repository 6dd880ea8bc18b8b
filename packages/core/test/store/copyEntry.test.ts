import { assert, describe, it } from "@effect/vitest"
import type { SessionEntry } from "../../src/records/SessionEntry.ts"
import { copyEntry } from "../../src/store/copyEntry.ts"

const withData = (data: unknown): SessionEntry => ({ id: "e", sessionId: "s", timestamp: "t", kind: "custom", data })
const copied = (data: unknown) => copyEntry(withData(data)).data as Record<string, unknown>

const run = () => 2

describe("copyEntry", () => {
  it("P3: nothing that can be edited is shared, however deep", () => {
    const data = {
      list: [{ deep: { er: 1 } }],
      when: new Date(5),
      bytes: new Uint8Array([1]),
      map: new Map([["k", [1]]])
    }
    const copy = copied(data)
    assert.deepEqual(copy, data)
    const list = copy["list"] as typeof data.list
    assert.notStrictEqual(list, data.list)
    assert.notStrictEqual(list[0]?.deep, data.list[0]?.deep)
    assert.notStrictEqual(copy["when"], data.when)
    assert.notStrictEqual(copy["bytes"], data.bytes)
    assert.notStrictEqual((copy["map"] as typeof data.map).get("k"), data.map.get("k"))
  })

  it("P3: functions, and objects that the platform cannot clone, do not make it fail", () => {
    class Handle {
      readonly run = () => 1
    }
    const handle = new Handle()
    assert.deepEqual(copied({ run, handle, list: [run] }), { run, handle, list: [run] })
  })

  it("P3: cycles stay cycles, and forbidden keys stay ordinary ones", () => {
    const data: Record<string, unknown> = { a: 1 }
    data["self"] = data
    const copy = copied(data)
    assert.strictEqual(copy["self"], copy)
    assert.notStrictEqual(copy, data)
    const hostile: object = JSON.parse('{"__proto__":{"admin":true},"constructor":1}')
    const safe = copied(hostile)
    assert.isUndefined(safe["admin"])
    assert.deepEqual(Object.keys(safe), ["__proto__", "constructor"])
    assert.strictEqual(Object.getPrototypeOf(copied(Object.create(null))), null)
  })
})
