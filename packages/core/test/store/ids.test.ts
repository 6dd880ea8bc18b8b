import { assert, describe, it, vi } from "@effect/vitest"
import { makeId } from "../../src/store/ids.ts"

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe("makeId", () => {
  it("D18: is the prefix and a version 4 UUID, whatever the prefix and however many were made", () => {
    const prefixes = ["run", "session", "entry", "event", "toolcall", "usage", "msg"]
    for (let round = 0; round < 100; round++) {
      for (const prefix of prefixes) {
        const id = makeId(prefix)
        assert.isTrue(id.startsWith(`${prefix}_`), id)
        assert.match(id.slice(prefix.length + 1), UUID_V4)
      }
    }
  })

  it("D18: no two ids are equal, and every random digit takes every value", () => {
    const ids = Array.from({ length: 5000 }, () => makeId("entry"))
    assert.strictEqual(new Set(ids).size, 5000)
    const digits = ids.map((id) => id.slice("entry_".length).replaceAll("-", ""))
    for (let at = 0; at < 32; at++) {
      const values = new Set(digits.map((text) => text[at])).size
      assert.strictEqual(values, at === 12 ? 1 : at === 16 ? 4 : 16, `digit ${at}`)
    }
  })

  it("D18: the bytes come from crypto.getRandomValues", () => {
    const random = vi.spyOn(crypto, "getRandomValues")
    try {
      for (let made = 0; made < 1000; made++) makeId("run")
      assert.isAtLeast(random.mock.calls.length, 7)
    } finally {
      random.mockRestore()
    }
  })
})
