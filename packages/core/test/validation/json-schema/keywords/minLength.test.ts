import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

describe("minLength", () => {
  it("counts characters, not UTF-16 units", () => {
    accepts({ minLength: 2 }, "ab", "abc", "a\u0301", "😀😀")
    refuses({ minLength: 2 }, "", "a", "😀")
    accepts({ minLength: 3 }, "😀😀😀", "a😀b", "😀ab")
    refuses({ minLength: 3 }, "😀😀", "a😀")
  })

  it("counts a lone surrogate as one", () => {
    accepts({ minLength: 2 }, "\ud83d\ud83d", "\ude00\ud83d")
    refuses({ minLength: 3 }, "\ud83d\ude00\ud83d")
  })

  it("of 0 and 1 is about emptiness", () => {
    accepts({ minLength: 0 }, "", "a")
    refuses({ minLength: 1 }, "")
    accepts({ minLength: 1 }, " ", "\u0000", "😀")
  })

  it("may be larger than any text", () => {
    refuses({ minLength: 1e300 }, "a")
    refuses({ minLength: 9_007_199_254_740_991 }, "a")
  })

  it("is silent on what is no string", () => {
    accepts({ minLength: 2 }, 1, null, [], {}, true)
  })

  it("says the bound and the length that came", () => {
    explains({ minLength: 2 }, "😀", ["must have at least 2 characters, got 1"])
    explains({ minLength: 1 }, "", ["must have at least 1 character, got 0"])
  })

  it("J12: must be an integer of at least 0", () => {
    for (const bad of [-1, 1.5, "2", null, true, [2]]) {
      assert.strictEqual(rejection({ minLength: bad }), "#/minLength: must be an integer of at least 0")
    }
    assert.strictEqual(rejection({ minLength: Number.parseFloat("2.0") }), "accepted")
  })
})
