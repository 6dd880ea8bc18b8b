import { describe, it } from "vitest"
import { isUuid } from "../../../../src/validation/json-schema/formats/identifiers.ts"
import { expectVerdicts } from "./verdicts.ts"

describe("isUuid", () => {
  it("takes any version and variant, in either case", () => {
    expectVerdicts(isUuid, {
      valid: [
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff"
      ],
      invalid: [
        "",
        "f81d4fae7dec11d0a76500a0c91e6bf6",
        "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
        "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bfg",
        "f81d4fae-7dec-11d0-a76-500a0c91e6bf6",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6\n"
      ]
    })
  })
})
