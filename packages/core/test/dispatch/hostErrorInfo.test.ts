import { assert, describe, it } from "@effect/vitest"
import { hostErrorInfo } from "../../src/dispatch/hostErrorInfo.ts"
import { throwing } from "./dispatching.ts"

describe("hostErrorInfo", () => {
  it("T13: an ErrorInfo keeps all its fields, and what is no field of one is left out", () => {
    const info = { name: "Bad", message: "no", code: "bad", retryAfterMs: 5, cause: { path: "/a" } }
    assert.deepEqual(hostErrorInfo({ ...info, stack: "secret", extra: 1 }), info)
    assert.deepEqual(hostErrorInfo({ message: "no", cause: null }), { message: "no", cause: null })
  })

  it("T13: anything else is described, and nothing throws", () => {
    assert.deepEqual(hostErrorInfo("text"), { message: "text" })
    assert.deepEqual(hostErrorInfo(null), { message: "null" })
    assert.deepEqual(hostErrorInfo(new TypeError("bad", { cause: "why" })), {
      name: "TypeError",
      message: "bad",
      cause: "why"
    })
    assert.deepEqual(hostErrorInfo({ message: 7, name: 7, code: [] }), { message: "7" })
    const trap = Object.defineProperty({ message: "no" }, "cause", { get: throwing(new Error("trap")) })
    assert.deepEqual(hostErrorInfo(trap), { message: "[Unreadable]" })
    assert.deepEqual(hostErrorInfo(Object.create(null)), { message: "[Unreadable]" })
  })

  it("T13: a cause that cannot be stored is cut, or left out", () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    assert.deepEqual(hostErrorInfo({ message: "no", cause: cyclic }), {
      message: "no",
      cause: { self: "[Circular]" }
    })
    assert.deepEqual(hostErrorInfo({ message: "no", cause: 1n }), { message: "no" })
  })
})
