import { describe, it } from "vitest"
import { isDouble, isFloat, isInt32, isInt64 } from "../../../../src/validation/json-schema/formats/numbers.ts"
import { expectVerdicts } from "./verdicts.ts"

describe("isInt32", () => {
  it("takes whole numbers of 32 bits", () => {
    expectVerdicts(isInt32, {
      valid: [0, -0, 1, 1e3, 2_147_483_647, -2_147_483_648],
      invalid: [0.5, 2_147_483_648, -2_147_483_649, 1e300, NaN, Infinity]
    })
  })
})

describe("isInt64", () => {
  it("takes whole numbers up to what JSON's greatest becomes", () => {
    expectVerdicts(isInt64, {
      valid: [0, 2_147_483_648, Number(JSON.parse("9223372036854775807")), -(2 ** 63)],
      invalid: [0.5, 2 ** 63 + 2_048, -(2 ** 64), 1e300, NaN, -Infinity]
    })
  })
})

describe("isFloat, isDouble", () => {
  it("take what stays finite", () => {
    expectVerdicts(isFloat, { valid: [0, 0.1, -1e-300, 3.4028234663852886e38], invalid: [1e39, -1e39, NaN, Infinity] })
    expectVerdicts(isDouble, { valid: [0, 0.1, 1e39, Number.MAX_VALUE], invalid: [NaN, Infinity, -Infinity] })
  })
})
