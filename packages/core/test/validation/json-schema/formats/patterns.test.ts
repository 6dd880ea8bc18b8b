import { describe, expect, it } from "vitest"
import { isRegex } from "../../../../src/validation/json-schema/formats/patterns.ts"
import { expectVerdicts } from "./verdicts.ts"

describe("isRegex", () => {
  it("takes what ECMAScript takes with the flag u", () => {
    const plain = [
      "",
      "a|b",
      "^[a-z]+$",
      "(?<y>\\d{4})-\\k<y>",
      "(?<!a)b",
      "\\u{1F600}",
      "[^]",
      "[]",
      "\\cA",
      "\\/",
      "a{2,3}?"
    ]
    expectVerdicts(isRegex, {
      valid: plain,
      invalid: ["(", "[", "*", "a{2", "a{3,2}", "(?P<n>a)", "(?#a)", "\\1", "[b-a]", "(?<n>a", "}"]
    })
  })

  it("refuses escapes of other dialects", () => {
    expectVerdicts(isRegex, { valid: [], invalid: ["\\Z", "\\A", "\\a", "\\h", "\\_", "\\x1", "\\u12", "\\"] })
  })

  it("judges Unicode properties by their names and places", () => {
    expectVerdicts(isRegex, {
      valid: ["\\p{L}", "\\P{Script=Greek}+", "[\\p{Lu}\\p{Nd}]", "[^\\P{L}]{2}", "\\p{L}1", "\\\\p\\{", "(?=\\p{L})"],
      invalid: [
        "\\p{Nope}",
        "\\p{}",
        "\\p{L",
        "\\pL",
        "[\\p{L}-z]",
        "\\\\p{L}",
        "\\p{Script=}",
        "\\p{L}{1",
        "\\p{Greek}"
      ]
    })
  })

  it("compiles a property once, however often it stands there", () => {
    expect(isRegex("\\p{L}".repeat(1_666))).toBe(true)
    expect(isRegex("\\p{L}".repeat(1_665) + "\\p{X}")).toBe(false)
  })

  it("refuses more than 10000 characters", () => {
    expectVerdicts(isRegex, { valid: ["a".repeat(10_000)], invalid: ["a".repeat(10_001)] })
  })

  it("answers to deep nesting", () => {
    expectVerdicts(isRegex, { valid: ["(?:".repeat(2_500) + ")".repeat(2_500)], invalid: ["(".repeat(10_000)] })
  })
})
