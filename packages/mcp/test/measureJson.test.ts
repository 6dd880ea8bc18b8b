import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { measureJson } from "../src/measureJson.ts"

const bounds = { maxBytes: 1_000_000, maxDepth: 64, maxProperties: 10_000 }

describe("measureJson", () => {
  it.prop("M17: counts the bytes of the JSON text", { value: Schema.Json }, ({ value }) => {
    assert.strictEqual(measureJson(value, bounds), Buffer.byteLength(JSON.stringify(value)))
  })

  it.each(['"\\/\b\f\n\r\t', "\u0000\u001f\u007f\u0085", "é漢😀", "\ud800", "a\udc00b", "\u2028"])(
    "M17: counts what JSON escapes: %j",
    (text) => {
      assert.strictEqual(measureJson({ [text]: text }, bounds), Buffer.byteLength(JSON.stringify({ [text]: text })))
    }
  )

  it("M17: counts items of lists as properties, and levels from the root", () => {
    assert.strictEqual(measureJson([1, 2, 3], { ...bounds, maxProperties: 3 }), 7)
    assert.deepInclude(measureJson([1, 2, 3], { ...bounds, maxProperties: 2 }), { kind: "properties", pointer: "" })
    assert.strictEqual(measureJson({ a: [[]] }, { ...bounds, maxDepth: 2 }), 10)
    assert.deepInclude(measureJson({ "a/~": [[]] }, { ...bounds, maxDepth: 1 }), { kind: "depth", pointer: "/a~1~0/0" })
  })

  it("M17: stops at the bound: what lies behind it is not read", () => {
    const value = {
      large: "x".repeat(100),
      get later(): string {
        return assert.fail("was read")
      }
    }
    assert.deepInclude(measureJson(value, { ...bounds, maxBytes: 50 }), { kind: "bytes", pointer: "/large" })
  })

  it("M17: refuses what is not JSON", () => {
    const loop: Record<string, unknown> = {}
    loop["self"] = loop
    const throwing = Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => {
        throw new Error("no")
      }
    })
    for (const value of [Number.NaN, -Infinity, 1n, () => 1, Symbol("s"), new Map(), [undefined], loop, throwing]) {
      assert.deepInclude(measureJson(value, bounds), { kind: "not-json" })
    }
  })
})
