import { assert, describe, it } from "@effect/vitest"
import { toWritable } from "../../src/dispatch/toWritable.ts"
import { throwing } from "./dispatching.ts"

const nested = (depth: number): unknown => {
  let value: unknown = "end"
  for (let level = 0; level < depth; level += 1) value = { in: value }
  return value
}

describe("toWritable", () => {
  it("a bigint has no form that can be written, wherever it is", () => {
    assert.isUndefined(toWritable(1n))
    assert.isUndefined(toWritable({ a: [1n] }))
  })

  it("E23: a cycle is cut where it closes, and what throws when it is read is left out", () => {
    const cyclic: Record<string, unknown> = { name: "a" }
    cyclic.self = cyclic
    assert.deepEqual(toWritable(cyclic), { name: "a", self: "[Circular]" })
    assert.strictEqual(cyclic.self, cyclic)
    const list: Array<unknown> = [1]
    list.push(list)
    assert.deepEqual(toWritable(list), [1, "[Circular]"])
    const trap = Object.defineProperty({ a: 1 }, "b", { enumerable: true, get: throwing(new Error("trap")) })
    assert.deepEqual(toWritable(trap), { a: 1, b: "[Unreadable]" })
    assert.deepEqual(toWritable({ toJSON: throwing(new Error("trap")), a: 1 }), { a: 1 })
  })

  it("R8: what is nested too deep to be written is cut below 1,024 levels", () => {
    for (const depth of [1025, 20_000]) {
      const writable = toWritable(nested(depth))
      assert.include(JSON.stringify(writable), "[MaxDepth]")
    }
    const deepest = nested(1024)
    assert.strictEqual(toWritable(deepest), deepest)
  })

  it("what can be written is the value itself", () => {
    const shared = { a: 1 }
    const values = [
      undefined,
      null,
      0,
      "text",
      true,
      [],
      {},
      [{ a: [1, "b", null] }],
      [shared, shared],
      { at: new Date(0), none: undefined, map: new Map([["a", 1]]), run: () => 1 },
      () => 1,
      Symbol("s"),
      Object.create(null)
    ]
    for (const value of values) assert.strictEqual(toWritable(value), value)
  })

  it("a value that is large is looked at as closely as a small one", () => {
    const large: Array<unknown> = Array.from({ length: 2000 }, (_, at) => ({ at }))
    assert.strictEqual(toWritable(large), large)
    const cyclic = [...large]
    cyclic.push({ cyclic })
    assert.include(JSON.stringify(toWritable(cyclic)), "[Circular]")
    assert.isUndefined(toWritable([...large, { n: 1n }]))
  })

  it("a value that is wide and shares its parts is not walked once per path", () => {
    let value: unknown = { end: true }
    for (let level = 0; level < 25; level += 1) value = [value, value]
    assert.strictEqual(toWritable(value), value)
  })
})
