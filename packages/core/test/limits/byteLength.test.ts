import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { isLongerThan, utf8ByteLength } from "../../src/limits/byteLength.ts"

const samples = ["", "abc", "é", "漢字", "😀", "a😀é漢", "\ud800", "\udc00x", "\ud800\ud800\udc00", "x\ud83d"]

describe("utf8ByteLength, isLongerThan", () => {
  it("D9: counts as an encoder does, lone surrogates included", () => {
    for (const text of samples) assert.strictEqual(utf8ByteLength(text), new TextEncoder().encode(text).length, text)
  })

  it("D9: the largest weight that is not too long is the weight itself", () => {
    for (const text of samples.slice(1)) {
      const bytes = new TextEncoder().encode(text).length
      assert.isFalse(isLongerThan(text, bytes), text)
      assert.isTrue(isLongerThan(text, bytes - 1), text)
    }
  })

  it.prop(
    "D9: any text weighs what its encoded form weighs",
    [Schema.String],
    ([text]) => utf8ByteLength(text) === new TextEncoder().encode(text).length
  )
})
