import { describe, it } from "vitest"
import { isDuration } from "../../../../src/validation/json-schema/formats/durations.ts"
import { expectVerdicts } from "./verdicts.ts"

describe("isDuration", () => {
  it("takes units in order without a gap", () => {
    expectVerdicts(isDuration, {
      valid: ["P3Y6M4DT12H30M5S", "P23DT23H", "P4Y", "P0D", "PT0S", "P12W", "P1Y2M", "P1M2D", "PT1H2M", "PT1M2S"],
      invalid: ["P1Y2D", "PT1H2S", "P1M1Y", "P1D1D", "PT1S1M", "P1W1D", "P1YT", "PT", "P", ""]
    })
  })

  it("refuses signs, fractions, lower case, and numbers or units alone", () => {
    const invalid = ["-P1D", "P-1D", "P+1D", "PT0.5S", "PT0,5S", "p1d", "P1d", "1D", "P1", "PD", "P1DT1", "P1H", "PT1D"]
    expectVerdicts(isDuration, { valid: [], invalid: [...invalid, "P1D ", "P1D\n", "P1DT1HT1M", "P١D", "PP1D", "P1P"] })
  })

  it("takes numbers of any length", () => {
    expectVerdicts(isDuration, { valid: [`P${"9".repeat(1_000)}D`], invalid: [`P${"9".repeat(1_000)}`] })
  })
})
