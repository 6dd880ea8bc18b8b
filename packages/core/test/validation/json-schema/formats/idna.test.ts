import { describe, expect, it } from "vitest"
import { hasAcePrefix, readALabel, readULabel } from "../../../../src/validation/json-schema/formats/idna.ts"
import { encodePunycode } from "../../../../src/validation/json-schema/formats/punycode.ts"
import { expectVerdicts } from "./verdicts.ts"

const isULabel = (label: string): boolean => readULabel(label) !== undefined
const isALabel = (label: string): boolean => readALabel(label) !== undefined

describe("readULabel", () => {
  it("takes letters, digits and marks of all scripts", () => {
    const valid = [
      "bücher",
      "straße",
      "ζεύς",
      "пример",
      "例え",
      "한국",
      "ไทย",
      "हिन्दी",
      "தமிழ்",
      "中文1",
      "\u{20000}",
      "ⴀ"
    ]
    expectVerdicts(isULabel, { valid, invalid: [] })
  })

  it("refuses what is neither, or not in its stable form", () => {
    const unstable = ["Bücher", "BÜ", "ﬁé", "ａé", "é²", "é①", "ẞa", "㎏", "\u1e9b", "e\u0301", "\u212b"]
    const others = [
      "é!",
      "é_",
      "é ",
      "é\n",
      "☃",
      "😀",
      "é\u00ad",
      "é\u2060",
      "é\ufe0f",
      "é\u0000",
      "é½",
      "é…",
      "é€",
      "€"
    ]
    const outside = [
      "é\ud800",
      "\udc00é",
      "\ufffeé",
      "é\u0378",
      "é\ue000",
      "\u1100é",
      "\u1100\u1161",
      "é\u20d0",
      "ـا",
      "\u302e가"
    ]
    expectVerdicts(isULabel, { valid: [], invalid: [...unstable, ...others, ...outside] })
  })

  it("keeps hyphens and marks out of places", () => {
    expectVerdicts(isULabel, {
      valid: ["é-a", "a--é", "é--a-b"],
      invalid: ["-é", "é-", "éa--b", "ab--é", "xn--é", "\u0301é", "\u0903a", "\u0488a", ""]
    })
  })

  it("is not for ASCII", () => {
    expectVerdicts(isULabel, { valid: [], invalid: ["abc", "xn--bcher-kva"] })
  })

  it("takes contextual characters in their context only (RFC 5892 appendix A)", () => {
    expectVerdicts(isULabel, {
      valid: [
        "क्\u200cष",
        "क्\u200dष",
        "ب\u200cب",
        "col·lega",
        "α͵β",
        "א׳",
        "צה״ל",
        "ア・イ",
        "漢・",
        "・ぁ",
        "١٢",
        "۱۲",
        "a١"
      ],
      invalid: [
        "क\u200cष",
        "क\u200dष",
        "ب\u200dب",
        "\u200dक",
        "a·l",
        "l·a",
        "·",
        "α͵",
        "͵a",
        "a͵b",
        "׳א",
        "a״b",
        "a・b",
        "・",
        "١۱",
        "۱a١"
      ]
    })
  })

  it("measures the ASCII form", () => {
    expect(readULabel("bücher")).toEqual({ unicode: "bücher", octets: "xn--bcher-kva".length })
    expectVerdicts(isULabel, { valid: ["ü".repeat(56)], invalid: ["ü".repeat(60), "a".repeat(60) + "ü"] })
  })
})

describe("readALabel", () => {
  it("takes what is the ASCII form of a valid label, in any case", () => {
    expect(readALabel("xn--bcher-kva")).toEqual({ unicode: "bücher", octets: 13 })
    expectVerdicts(isALabel, { valid: ["xn--strae-oqa", "XN--BCHER-KVA", "xn--fiqs8s", "xn--p1ai"], invalid: [] })
  })

  it("refuses code that is broken, needless, or for a label that is not valid", () => {
    const broken = ["xn--", "xn---", "xn--a", "xn--99999999", "xn--bcher_kva", "xn---bcher-kva"]
    const needless = ["xn--abc-", "xn--bcher-"]
    const labels = ["É", "☃", "éa--b", "-é", "e\u0301", "\u0301é", "a·l", "１"]
    const forInvalid = labels.map((label) => `xn--${encodePunycode(label)}`)
    const long = `xn--${"a".repeat(60)}-kva`
    expectVerdicts(isALabel, { valid: [], invalid: [...broken, ...needless, ...forInvalid, long] })
  })
})

describe("hasAcePrefix", () => {
  it("knows the prefix in any case, and in front only", () => {
    expectVerdicts(hasAcePrefix, { valid: ["xn--a", "XN--a", "xN--"], invalid: ["xn-", "axn--", "xm--a", ""] })
  })
})
