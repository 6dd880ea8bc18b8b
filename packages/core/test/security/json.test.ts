import { assert, describe, it } from "@effect/vitest"
import { assertJsonObject, isJsonObject } from "../../src/security/json.ts"

class Point {
  x = 1
}

/** A chain of `depth` objects in which every second level is a list. */
const chain = (depth: number, end: unknown): object => {
  let value: unknown = end
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { next: value }
  return { value }
}

const messageOf = (value: unknown, label?: string): string => {
  try {
    assertJsonObject(value, label)
  } catch (error) {
    return error instanceof Error ? error.message : "not an error"
  }
  return "no error"
}

describe("isJsonObject", () => {
  it("D1: what is not a plain object is refused", () => {
    const refused = [null, undefined, 1, "{}", true, [], [{}], new Date(0), new Map(), new Point(), () => ({}), 1n]
    for (const value of refused) assert.isFalse(isJsonObject(value))
    assert.isFalse(isJsonObject(Object.create({})))
  })

  it("D1: a part that is no JSON refuses the whole, at any depth", () => {
    const parts = [
      undefined,
      Number.NaN,
      Infinity,
      -Infinity,
      1n,
      Symbol("s"),
      () => 1,
      new Point(),
      new Date(0),
      new Map()
    ]
    for (const part of parts) {
      assert.isFalse(isJsonObject({ part }))
      assert.isFalse(isJsonObject({ list: [1, part] }))
      assert.isFalse(isJsonObject(chain(5, part)))
      assert.isFalse(isJsonObject(chain(5_000, part)))
    }
    assert.isFalse(isJsonObject({ holes: Array(2) }))
  })

  it("D1: strings, booleans, null, finite numbers, lists and plain objects are JSON", () => {
    assert.isTrue(isJsonObject({}))
    assert.isTrue(isJsonObject(Object.create(null)))
    assert.isTrue(isJsonObject({ s: "", b: false, n: null, z: -0, e: 1e300, list: [[], {}, ["a", { b: 1 }]] }))
  })

  it("D2: a forbidden key refuses the whole, at any depth and whatever it holds", () => {
    for (const key of ["__proto__", "prototype", "constructor"]) {
      const polluted: unknown = JSON.parse(`{"${key}":1}`)
      assert.isFalse(isJsonObject(polluted), key)
      assert.isFalse(isJsonObject({ a: [{ b: polluted }] }), key)
      assert.isFalse(isJsonObject(chain(3_000, polluted)), key)
      assert.isFalse(isJsonObject(Object.defineProperty({}, key, { value: 1, enumerable: false })), key)
    }
    assert.isTrue(isJsonObject({ proto: 1, __proto: 1, constructors: 1, Prototype: 1 }))
  })

  it("D1: a cycle is no JSON, however long", () => {
    const self: Record<string, unknown> = {}
    self["self"] = self
    const long: { value?: unknown } = {}
    long.value = chain(4_000, long)
    const list: Array<unknown> = []
    list.push({ list })
    assert.isFalse(isJsonObject(self))
    assert.isFalse(isJsonObject({ self }))
    assert.isFalse(isJsonObject(long))
    assert.isFalse(isJsonObject({ list }))
  })

  it("D1: depth does not overflow the stack, and shared parts cost no time", () => {
    assert.isTrue(isJsonObject(chain(200_000, 1)))
    let shared: object = { leaf: 1 }
    for (let level = 0; level < 64; level++) shared = { left: shared, right: shared, list: [shared, shared] }
    assert.isTrue(isJsonObject(shared))
  })

  it("D1: a value that cannot be read is no JSON and does not throw", () => {
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    const throwing = {
      get a(): number {
        throw new Error("no")
      }
    }
    assert.isFalse(isJsonObject(revoked.proxy))
    assert.isFalse(isJsonObject({ inner: revoked.proxy }))
    assert.isFalse(isJsonObject(throwing))
  })
})

describe("assertJsonObject", () => {
  it("D3: what is no JSON object is named by its label", () => {
    assert.strictEqual(messageOf([1], "arguments"), "arguments must be a JSON object")
    assert.strictEqual(messageOf("text"), "value must be a JSON object")
    assert.strictEqual(messageOf({ a: Number.NaN }, "config"), "config must be a JSON object")
    assert.strictEqual(messageOf(new Point(), "config"), "config must be a JSON object")
    const self: Record<string, unknown> = {}
    self["list"] = [self]
    assert.strictEqual(messageOf(self, "config"), "config must be a JSON object")
  })

  it("D2: a forbidden key is named with the path to it", () => {
    assert.strictEqual(messageOf(JSON.parse('{"__proto__":{}}')), "value uses forbidden JSON key: __proto__")
    const nested: unknown = JSON.parse('{"a":[1,{"b c":{"constructor":1}}]}')
    assert.strictEqual(messageOf(nested, "arguments"), "arguments.a[1].b c uses forbidden JSON key: constructor")
    const self: Record<string, unknown> = { deep: chain(10_000, 1) }
    self["self"] = self
    self["z"] = { prototype: 1 }
    assert.strictEqual(messageOf(self, "m"), "m.z uses forbidden JSON key: prototype")
  })

  it("D1, D3: a JSON object passes", () => {
    assert.strictEqual(messageOf({ a: [1, { b: null }] }), "no error")
  })
})
