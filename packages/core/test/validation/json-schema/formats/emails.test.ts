import { describe, it } from "vitest"
import { isEmail, isIdnEmail } from "../../../../src/validation/json-schema/formats/emails.ts"
import { expectVerdicts } from "./verdicts.ts"

const domain = `@${"d".repeat(63)}.${"d".repeat(63)}.${"d".repeat(61)}`

describe("isEmail", () => {
  it("takes dotted and quoted local parts", () => {
    expectVerdicts(isEmail, {
      valid: [
        "a@b",
        "first.last+tag@example.com",
        "!#$%&'*+-/=?^_`{|}~@x.org",
        '"a b"@c.d',
        '"a\\"b\\\\"@c.d',
        '""@c.d',
        '"@"@c.d'
      ],
      invalid: [
        ".a@b.c",
        "a.@b.c",
        "a..b@c.d",
        "a b@c.d",
        'a"b@c.d',
        '"a@c.d',
        '"a""b"@c.d',
        '"a\\"@c.d',
        '"a\nb"@c.d',
        "(c)a@b.c"
      ]
    })
  })

  it("takes host names and addresses in brackets as domain", () => {
    expectVerdicts(isEmail, {
      valid: ["a@[192.0.2.1]", "a@[IPv6:2001:db8::1]", "a@[ipv6:::]", "a@xn--bcher-kva.example"],
      invalid: [
        "a@",
        "@b",
        "a",
        "",
        "a@b.",
        "a@-b",
        "a@b_c",
        "a@[1.2.3]",
        "a@[::1]",
        "a@[IPv6:1.2.3.4]",
        "a@[1.2.3.4",
        "a@[]",
        "a@b@c"
      ]
    })
  })

  it("is for ASCII", () => {
    expectVerdicts(isEmail, { valid: [], invalid: ["é@b.c", "a@bücher.example", '"é"@b.c', "a＠b.c"] })
  })

  it("bounds the local part at 64 octets and the whole at 254", () => {
    expectVerdicts(isEmail, {
      valid: [`${"a".repeat(64)}@b.c`, `${"a".repeat(64)}${domain}`],
      invalid: [`${"a".repeat(65)}@b.c`, `${"a".repeat(64)}${domain}d`]
    })
  })
})

describe("isIdnEmail", () => {
  it("takes any character in the local part and Unicode in the domain", () => {
    expectVerdicts(isIdnEmail, {
      valid: [
        "é@b.c",
        "用户@例え.テスト",
        '"é b"@c.d',
        "😀@b.c",
        "a@BÜCHER.de",
        "a@cafe\u0301.fr",
        "a@[1.2.3.4]",
        "a@b.c"
      ],
      invalid: ["é é@b.c", "é..é@b.c", "a@☃.net", "a＠b.c", "é", "\ud800@b.c", "a@é_b", "a\u0000@b.c", "é@"]
    })
  })

  it("counts octets, not characters", () => {
    expectVerdicts(isIdnEmail, { valid: [`${"é".repeat(32)}@b.c`], invalid: [`${"é".repeat(33)}@b.c`] })
  })
})
