import { describe, it } from "vitest"
import { isBetweenJoining, isVirama } from "../../../../src/validation/json-schema/formats/joining.ts"
import { expectVerdicts } from "./verdicts.ts"

const joinsAcross = (text: string): boolean => {
  const characters = Array.from(text)
  return isBetweenJoining(characters, characters.indexOf("\u200c"))
}

describe("isBetweenJoining", () => {
  it("is true between letters that join, marks aside", () => {
    expectVerdicts(joinsAcross, {
      valid: [
        "ب\u200cب",
        "ب\u200cا",
        "بَ\u200cّب",
        "ܒ\u200cܐ",
        "ᠠ\u200cᠠ",
        "ߊ\u200cߊ",
        "\u{1e922}\u{1e94b}\u200c\u{1e943}"
      ],
      invalid: ["ا\u200cب", "ب\u200ca", "a\u200cب", "\u200cب", "ب\u200c", "\u200c", "َ\u200cَ", "ء\u200cب"]
    })
  })
})

describe("isVirama", () => {
  it("is true for combining class 9 and for no neighbour of it", () => {
    expectVerdicts(isVirama, {
      valid: ["\u094d", "\u09cd", "\u0bcd", "\u0d4d", "\u0e3a", "\u1039", "\u1734", "\u1b44", "\ua953", "\u{11046}"],
      invalid: ["\u3099", "\u309a", "\u05b0", "\u0301", "\u093c", "\u0323", "क", "a", "가", "é", ""]
    })
  })
})
