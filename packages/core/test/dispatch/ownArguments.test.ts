import { assert, describe, it } from "@effect/vitest"
import { ownArguments } from "../../src/dispatch/ownArguments.ts"
import type { JsonObject } from "../../src/schema/Json.ts"

describe("ownArguments", () => {
  it("nothing of the copy is shared with what was given", () => {
    const given: JsonObject = { a: { b: [1, { c: null }] }, d: "text", e: false, f: [] }
    const own = ownArguments(given)
    assert.deepEqual(own, given)
    const parts = (value: unknown): ReadonlyArray<object> =>
      typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(parts)] : []
    const shared = new Set(parts(given))
    assert.strictEqual(shared.size, 5)
    for (const part of parts(own)) assert.isFalse(shared.has(part))
  })

  it("arguments without a prototype become an ordinary object", () => {
    const given: JsonObject = Object.assign(Object.create(null), { a: 1 })
    assert.strictEqual(Object.getPrototypeOf(ownArguments(given)), Object.prototype)
    assert.deepEqual(ownArguments(given), { a: 1 })
  })
})
