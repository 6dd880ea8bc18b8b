import { describe, it } from "vitest"
import { isHostname, isIdnHostname, isTypedHostname } from "../../../../src/validation/json-schema/formats/hostnames.ts"
import { expectVerdicts } from "./verdicts.ts"

const label63 = "a".repeat(63)
const name253 = [label63, label63, label63, "a".repeat(61)].join(".")

describe("isHostname", () => {
  it("takes labels of letters, digits and inner hyphens", () => {
    expectVerdicts(isHostname, {
      valid: [
        "localhost",
        "a",
        "3com.com",
        "EXAMPLE.com",
        "a-b.c--d",
        "1.2.3.4",
        "r3---sn.example",
        "xn--bcher-kva.example"
      ],
      invalid: [
        "",
        ".",
        "a.",
        ".a",
        "a..b",
        "-a",
        "a-",
        "a_b",
        "a b",
        "a\n",
        "bücher.example",
        "a。b",
        "*.a",
        "a/b",
        "a:80"
      ]
    })
  })

  it("refuses A-labels that stand for nothing valid", () => {
    expectVerdicts(isHostname, {
      valid: ["xn--4dbrk0ce"],
      invalid: ["xn--n3h.com", "xn--x", "a.xn--a", "1a.xn--4dbrk0ce"]
    })
  })

  it("bounds labels at 63 octets and names at 253", () => {
    expectVerdicts(isHostname, { valid: [label63, name253], invalid: [`${label63}a`, `${name253}a`, `a.${name253}`] })
  })
})

describe("isIdnHostname", () => {
  it("takes labels in Unicode, in ASCII and in the ASCII form, with any dot", () => {
    const valid = [
      "bücher.example",
      "例え。テスト",
      "example.com",
      "EXAMPLE.com",
      "xn--bcher-kva.пример",
      "a．b｡c",
      "ישראל"
    ]
    expectVerdicts(isIdnHostname, {
      valid,
      invalid: [
        "",
        "。",
        "a。",
        "。a",
        "a。。b",
        "BÜCHER.de",
        "bü_cher",
        "☃.net",
        "xn--n3h.net",
        "ab--c.com",
        "éa--b",
        "1.ישראל"
      ]
    })
  })

  it("bounds the ASCII form", () => {
    const long = Array.from({ length: 5 }, () => "ü".repeat(50)).join(".")
    expectVerdicts(isIdnHostname, { valid: [name253], invalid: [`${name253}a`, `ü.${name253}`, long, `${label63}a.é`] })
  })
})

describe("isTypedHostname", () => {
  it("takes upper case and decomposed letters", () => {
    expectVerdicts(isTypedHostname, { valid: ["BÜCHER.de", "cafe\u0301.fr", "a.B"], invalid: ["☃.net", "", "a..b"] })
  })
})
