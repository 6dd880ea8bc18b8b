import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { makeReplaceText } from "../../src/security/secretText.ts"

const replaced = (text: string, secrets: ReadonlyArray<string | undefined>): string | undefined =>
  makeReplaceText(secrets)?.(text)

describe("makeReplaceText", () => {
  it("R2: without a secret there is nothing to replace", () => {
    assert.isUndefined(makeReplaceText([]))
    assert.isUndefined(makeReplaceText(["", undefined]))
  })

  it("R1: every occurrence goes, by exact and case-sensitive comparison", () => {
    assert.strictEqual(replaced("k1 and k1, not K1", ["k1"]), "[REDACTED] and [REDACTED], not K1")
    assert.strictEqual(replaced("k1k1", ["k1"]), "[REDACTED][REDACTED]")
    assert.strictEqual(replaced("a.c abc", ["a.c"]), "[REDACTED] abc")
    assert.strictEqual(replaced("$& $1", ["$&"]), "[REDACTED] $1")
    assert.strictEqual(replaced("nothing here", ["k1", "k2"]), "nothing here")
  })

  it("R3: no fragment of a longer secret survives a shorter one, in whatever order they are known", () => {
    for (const secrets of [
      ["abc", "abcdef"],
      ["abcdef", "abc"]
    ]) {
      assert.strictEqual(replaced("<abcdef>", secrets), "<[REDACTED]>")
      assert.strictEqual(replaced("<abcdefabc>", secrets), "<[REDACTED][REDACTED]>")
    }
    assert.strictEqual(replaced("<xabcdefx>", ["cd", "abcdef"]), "<x[REDACTED]x>")
    assert.strictEqual(replaced("<xabcdefx>", ["def", "abcdef", "e"]), "<x[REDACTED]x>")
  })

  it("R3: secrets that cross leave no fragment of either", () => {
    assert.strictEqual(replaced("<abcdef>", ["abcd", "cdef"]), "<[REDACTED]>")
    assert.strictEqual(replaced("<ababa>", ["aba"]), "<[REDACTED]>")
  })

  it("R1: what replaces a secret is not searched for another", () => {
    assert.strictEqual(replaced("key and RED", ["key", "RED", "E"]), "[REDACTED] and [REDACTED]")
  })

  it.prop(
    "R1, R3: what is left over are exactly the characters that belong to no secret",
    [
      Schema.Array(Schema.Literals(["a", "b", "c", "ab"])),
      Schema.Array(Schema.Literals(["a", "ab", "bc", "aba", "cab", ""]))
    ],
    ([pieces, secrets]) => {
      const text = pieces.join("")
      const covered = Array.from(text, () => false)
      for (const secret of secrets.filter((known) => known !== "")) {
        for (let at = 0; at < text.length; at++) {
          if (text.startsWith(secret, at)) covered.fill(true, at, at + secret.length)
        }
      }
      const kept = Array.from(text).filter((_, at) => covered[at] !== true)
      const result = replaced(text, secrets) ?? text
      return result.replaceAll("[REDACTED]", "") === kept.join("")
    }
  )
})
