import { assert, describe, it } from "@effect/vitest"
import { detach } from "../../src/dispatch/detach.ts"

describe("detach", () => {
  it("copies objects and lists at every depth, and shares the rest", () => {
    const date = new Date(0)
    const value = { list: [{ n: 1 }], date, none: undefined, text: "t" }
    const copy = detach(value)
    assert.deepStrictEqual(copy, value)
    value.list.push({ n: 2 })
    if (value.list[0] !== undefined) value.list[0].n = 9
    assert.deepStrictEqual(copy.list, [{ n: 1 }])
    assert.strictEqual(copy.date, date)
    assert.deepStrictEqual([detach("t"), detach(null), detach(undefined)], ["t", null, undefined])
  })

  it("keeps a key such as __proto__ a key", () => {
    const value: object = JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":{}}}')
    const copy = detach(value)
    assert.strictEqual(JSON.stringify(copy), '{"__proto__":{"polluted":true},"a":{"__proto__":{}}}')
    assert.strictEqual(Object.getPrototypeOf(copy), Object.prototype)
  })

  it("returns what goes in circles or too deep as it is", () => {
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    assert.strictEqual(detach(circle), circle)
    let deep: unknown = {}
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    assert.strictEqual(detach(deep), deep)
  })
})
