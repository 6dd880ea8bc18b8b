import { assert, describe, it } from "@effect/vitest"
import { redactValue } from "../../src/security/redactValue.ts"

const redact = (value: unknown): unknown => redactValue(value, (text) => text.replaceAll("key", "***"))

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** The member of a copy that a path of names leads to. */
const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((holder, name) => (isRecord(holder) ? holder[name] : undefined), value)

/** The members of a copy, in order. */
const entries = (value: unknown): ReadonlyArray<unknown> => (isRecord(value) ? Object.entries(value) : [])

/** A chain of `depth` containers; every second is a list. */
const chain = (depth: number, end: unknown): unknown => {
  let value = end
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { next: value }
  return value
}

/** How many containers are in a chain, and what is at its end. */
const unchain = (value: unknown): readonly [number, unknown] => {
  let depth = 0
  let inner = value
  for (; isRecord(inner); inner = Object.values(inner)[0]) depth++
  return [depth, inner]
}

const call = (): string => "key"

describe("redactValue", () => {
  it("R1: strings at any depth are replaced, all else stays", () => {
    const input = { a: "key", list: ["my key", { b: "x" }], n: 1, t: true, z: null, u: undefined }
    assert.deepEqual<unknown>(redact(input), {
      a: "***",
      list: ["my ***", { b: "x" }],
      n: 1,
      t: true,
      z: null,
      u: undefined
    })
    assert.strictEqual(redact("a key"), "a ***")
    for (const value of [1, -0, true, null, undefined, 1n, Symbol.iterator]) assert.strictEqual(redact(value), value)
  })

  it("R4: keys are replaced too, and those that collide are numbered in order", () => {
    const result = redact({ key: 1, "***": 2, a: 3, "***__2": 4, "***__3": 5 })
    assert.deepEqual<unknown>(entries(result), [
      ["***", 1],
      ["***__2", 2],
      ["a", 3],
      ["***__2__2", 4],
      ["***__3", 5]
    ])
    assert.deepEqual<unknown>(entries(redact({ "***__2": 1, key: 2, "***": 3 })), [
      ["***__2", 1],
      ["***", 2],
      ["***__3", 3]
    ])
    const map = new Map<unknown, unknown>([
      ["key", 1],
      ["***", 2],
      ["***", 3],
      [{}, 4],
      [{}, "key"],
      [7, 6]
    ])
    assert.deepEqual<unknown>(redact(map), {
      "***": 1,
      "***__2": 3,
      "[object Object]": 4,
      "[object Object]__2": "***",
      "7": 6
    })
  })

  it("R4: ten thousand keys that collide are all kept", () => {
    const map = new Map(Array.from({ length: 10_000 }, (_, index) => [{ index }, index]))
    const result = redact(map)
    assert.strictEqual(entries(result).length, 10_000)
    assert.strictEqual(at(result, "[object Object]__10000"), 9_999)
  })

  it("R5: a reference to an ancestor becomes a word, a shared one is copied each time", () => {
    const shared = { text: "key" }
    const right: Array<unknown> = [shared]
    const map = new Map<string, unknown>()
    const root: Record<string, unknown> = { left: shared, right, map }
    root["self"] = root
    right.push(right)
    map.set("up", root)
    const result = redact(root)
    assert.deepEqual<unknown>(result, {
      left: { text: "***" },
      right: [{ text: "***" }, "[Circular]"],
      map: { up: "[Circular]" },
      self: "[Circular]"
    })
    assert.notStrictEqual(at(result, "left"), at(result, "right", "0"))
  })

  it("R5: an ancestor is found below many levels, a shared part there is not taken for one", () => {
    const root: Record<string, unknown> = {}
    const shared = { s: 1 }
    const end = { root, left: shared, right: { shared } }
    root["deep"] = chain(100, end)
    let inner = at(redact(root), "deep")
    for (let level = 0; level < 100; level++) inner = at(inner, Array.isArray(inner) ? "0" : "next")
    assert.deepEqual<unknown>(inner, { root: "[Circular]", left: { s: 1 }, right: { shared: { s: 1 } } })
  })

  it("R6: maps become objects, sets lists, and what has no text of its own passes through", () => {
    const date = new Date(0)
    const pattern = /key/
    const bytes = new Uint8Array([1])
    const view = new DataView(bytes.buffer)
    const result = redact({ date, pattern, bytes, view, buffer: bytes.buffer, set: new Set(["key", 1]) }) as Record<
      string,
      unknown
    >
    assert.strictEqual(at(result, "date"), date)
    assert.strictEqual(at(result, "pattern"), pattern)
    assert.strictEqual(at(result, "bytes"), bytes)
    assert.strictEqual(at(result, "view"), view)
    assert.strictEqual(at(result, "buffer"), bytes.buffer)
    assert.deepEqual<unknown>(at(result, "set"), ["***", 1])
    assert.deepEqual<unknown>(redact(new Map([["a", new Map([["b", "key"]])]])), { a: { b: "***" } })
  })

  it("R7: the input is not changed and shares nothing with the output", () => {
    const input = { a: { b: ["key"] }, c: { d: 1 } }
    const before = structuredClone(input)
    const result = redact(Object.freeze(input))
    assert.deepEqual<unknown>(input, before)
    assert.notStrictEqual(at(result, "a"), input.a)
    assert.notStrictEqual(at(result, "c"), input.c)
    assert.notStrictEqual(at(result, "a", "b"), input.a.b)
  })

  it("R8: 1,024 levels come through whole, the one below is cut", () => {
    assert.deepEqual<unknown>(unchain(redact(chain(1_024, "key"))), [1_024, "***"])
    assert.deepEqual<unknown>(unchain(redact(chain(1_025, "key"))), [1_024, "[MaxDepth]"])
    assert.deepEqual<unknown>(unchain(redact(chain(300_000, "key"))), [1_024, "[MaxDepth]"])
  })

  it("R10: what throws when it is read is a word, and its neighbours are there", () => {
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("key")
        }
      }
    )
    const value = {
      get a(): string {
        throw new Error("key")
      },
      revoked: revoked.proxy,
      hostile,
      fake: Object.create(Map.prototype),
      nameless: new Map([[Object.create(null), 1]]),
      symbol: Symbol.for("key"),
      big: 10n,
      last: "key"
    }
    assert.deepEqual<unknown>(redact(value), {
      a: "[Unreadable]",
      revoked: "[Unreadable]",
      hostile: {},
      fake: {},
      nameless: { "[Unreadable]": 1 },
      symbol: Symbol.for("key"),
      big: 10n,
      last: "***"
    })
  })

  it("R4, R7: a key that names the prototype stays a key", () => {
    const result = redact(JSON.parse('{"__proto__":{"a":"key"}}'))
    assert.strictEqual(Object.getPrototypeOf(result), Object.prototype)
    assert.deepEqual<unknown>(entries(result), [["__proto__", { a: "***" }]])
    assert.isNull(Object.getPrototypeOf(redact(Object.create(null))))
  })

  it("R13: errors keep name, message, cause and their own fields, without a stack", () => {
    const error = Object.assign(new TypeError("bad key", { cause: new Error("key") }), { code: "E_key" })
    assert.deepEqual<unknown>(redact({ error }), {
      error: { name: "TypeError", message: "bad ***", cause: { name: "Error", message: "***" }, code: "E_***" }
    })
  })

  it("R6: instances are what their toJSON gives, else their own fields; functions stay, but none named toJSON", () => {
    class Account {
      id = "key"
      readonly #hidden = "key"
      get shown(): string {
        return this.#hidden
      }
    }
    class Node {
      readonly name = "n"
      readonly parent = this
      toJSON(): object {
        return { name: "key", parent: this }
      }
    }
    const result = redact({
      url: new URL("https://host/?k=key"),
      account: new Account(),
      node: new Node(),
      boxed: new String("key"),
      boxing: { toJSON: () => "key" },
      late: Object.create({ toJSON: () => new String("a key") }),
      call,
      [Symbol.for("s")]: "key"
    })
    assert.deepEqual<unknown>(result, {
      url: "https://host/?k=***",
      account: { id: "***" },
      node: { name: "***", parent: "[Circular]" },
      boxed: "***",
      boxing: {},
      late: "a ***",
      call
    })
    assert.notInclude(JSON.stringify(result), "key")
  })
})
