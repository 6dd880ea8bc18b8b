import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

describe("maxLength", () => {
  it("counts characters, not UTF-16 units", () => {
    accepts({ maxLength: 2 }, "", "ab", "😀😀", "a😀")
    refuses({ maxLength: 2 }, "abc", "😀😀😀", "😀ab", "a\u0301b")
    accepts({ maxLength: 1 }, "😀")
    refuses({ maxLength: 1 }, "\ud83d\ud83d", "\ude00\ud83d")
  })

  it("of 0 admits the empty text alone", () => {
    accepts({ maxLength: 0 }, "", 7, null)
    refuses({ maxLength: 0 }, " ", "\u0000")
  })

  it("beside a type and minLength", () => {
    const schema = { type: "string", minLength: 2, maxLength: 2 }
    accepts(schema, "ab", "😀😀")
    refuses(schema, "a", "abc", 12, "😀")
  })

  it("is silent on what is no string", () => {
    accepts({ maxLength: 1 }, 100, null, [1, 2], { a: 1, b: 2 }, true)
  })

  it("says the bound and the length that came", () => {
    explains({ maxLength: 1 }, "a😀", ["must have at most 1 character, got 2"])
    explains({ maxLength: 2 }, "abc", ["must have at most 2 characters, got 3"])
  })

  it("J12: must be an integer of at least 0", () => {
    for (const bad of [-1, 0.5, "2", null, false, {}]) {
      assert.strictEqual(rejection({ maxLength: bad }), "#/maxLength: must be an integer of at least 0")
    }
  })
})
