import { describe, expect, it } from "vitest"
import { decodePunycode, encodePunycode } from "../../../../src/validation/json-schema/formats/punycode.ts"

/** RFC 3492 §7.1, in the lower case that an encoder writes. */
const samples: ReadonlyArray<readonly [string, string]> = [
  ["ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"],
  ["他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"],
  ["他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"],
  ["Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"],
  ["למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"],
  ["なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"],
  ["3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"],
  ["-> $1.00 <-", "-> $1.00 <--"],
  ["münchen", "mnchen-3ya"],
  ["😀", "e28h"]
]

describe("encodePunycode, decodePunycode", () => {
  it("agree with the samples of RFC 3492", () => {
    for (const [text, code] of samples) {
      expect(encodePunycode(text)).toBe(code)
      expect(decodePunycode(code)).toBe(text)
    }
  })

  it("reads digits in either case", () => {
    expect(decodePunycode("mnchen-3YA")).toBe("münchen")
  })

  it("refuses code that breaks off, holds other characters, or leaves Unicode", () => {
    const codes = ["x", "99999999", "mnchen-3y_", "-9uc", "9999z", "9999999999999999999a"]
    for (const code of codes) expect(decodePunycode(code)).toBeUndefined()
  })

  it("refuses surrogates", () => {
    expect(decodePunycode(encodePunycode("\ud800"))).toBeUndefined()
  })
})
