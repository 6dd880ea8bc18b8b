import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

describe("pattern", () => {
  it("matches anywhere unless anchored", () => {
    accepts({ pattern: "b+" }, "b", "abbc", "xbx")
    refuses({ pattern: "b+" }, "", "ac", "B")
    accepts({ pattern: "^b+$" }, "bb")
    refuses({ pattern: "^b+$" }, "abb", "bb\n", "b b")
    accepts({ pattern: "" }, "", "anything")
  })

  it("reads characters, not UTF-16 units", () => {
    accepts({ pattern: "^.$" }, "😀", "é")
    refuses({ pattern: "^.$" }, "😀😀", "\n", "")
    accepts({ pattern: "^\\p{Lu}+$" }, "ÄÖ")
    refuses({ pattern: "^\\p{Lu}+$" }, "ÄÖü")
  })

  it("takes \\d and \\w as ECMA-262 does", () => {
    accepts({ pattern: "^\\d$" }, "7")
    refuses({ pattern: "^\\d$" }, "٧", "x")
    refuses({ pattern: "^\\w$" }, "é")
  })

  it("is silent on what is no string", () => {
    accepts({ pattern: "^a$" }, 1, null, ["b"], { b: "b" }, true)
  })

  it("answers fast where backtracking would not end", () => {
    const text = `${"a".repeat(5000)}!`
    refuses({ pattern: "^(a+)+$" }, text)
    accepts({ pattern: "^(a|a)*!$" }, text)
  })

  it("says the pattern and what came", () => {
    explains({ pattern: "^a$" }, "b", ['must match the pattern "^a$", got "b"'])
    explains({ pattern: "^a$" }, "b".repeat(61), ['must match the pattern "^a$", got a string of 61 characters'])
    explains({ pattern: "x".repeat(61) }, "b", ['must match the pattern a string of 61 characters, got "b"'])
  })

  it("J12: must be a regular expression of ECMAScript", () => {
    assert.strictEqual(rejection({ pattern: "(" }), "#/pattern: it is no ECMAScript regular expression")
    for (const bad of [1, null, {}, ["a"]])
      assert.strictEqual(rejection({ pattern: bad }), "#/pattern: must be a string")
  })
})
