import { describe, it } from "vitest"
import { characterClass, codePointSet } from "../../../../src/validation/json-schema/formats/codePoints.ts"
import { expectVerdicts } from "./verdicts.ts"

describe("codePointSet", () => {
  it("holds both ends of its ranges and nothing beside them", () => {
    expectVerdicts(codePointSet("30-39 b7 10ffff"), {
      valid: [0x30, 0x35, 0x39, 0xb7, 0x10ffff],
      invalid: [-1, 0, 0x2f, 0x3a, 0xb6, 0xb8, 0x10fffe]
    })
  })
})

describe("characterClass", () => {
  it("matches whole characters by class", () => {
    expectVerdicts(characterClass("\\p{Lu}x"), {
      valid: ["A", "x", "\u{10400}"],
      invalid: ["a", "", "\u{10428}", "\ud801"]
    })
  })
})
