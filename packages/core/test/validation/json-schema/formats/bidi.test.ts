import { describe, it } from "vitest"
import { satisfiesBidiRule } from "../../../../src/validation/json-schema/formats/bidi.ts"
import { expectVerdicts } from "./verdicts.ts"

const isOrdered = (name: string): boolean => satisfiesBidiRule(name.split("."))

describe("satisfiesBidiRule", () => {
  it("leaves names alone that have no right-to-left label", () => {
    expectVerdicts(isOrdered, { valid: ["example.com", "1a.2b", "ʹa", "1", "क्", "۰۱.com", "a-"], invalid: [] })
  })

  it("takes right-to-left labels of letters, numbers of one kind and marks", () => {
    expectVerdicts(isOrdered, {
      valid: ["אב", "ابج", "א1", "ا1", "ا٠", "אְ", "א-ב", "ب\u200cب", "ߊ", "\u{10d00}\u{10d30}", "\u{1e922}"],
      invalid: ["1א", "٠", "٠ا", "-א", "א-", "אa", "aא", "אaב", "א1٠", "א٠1", "א·", "אʹ"]
    })
  })

  it("binds the other labels of such a name", () => {
    expectVerdicts(isOrdered, {
      valid: ["a.א", "a1.א", "א.com", "ab-c.א", "あ.א", "क्.א", "a\u0cc6.א"],
      invalid: ["1.א", "1a.א", "a-.א", "ʹa.א", "aʹ.א", "א.1"]
    })
  })
})
