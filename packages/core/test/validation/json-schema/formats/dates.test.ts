import { describe, it } from "vitest"
import {
  isDate,
  isDateTime,
  isIsoDateTime,
  isIsoTime,
  isTime
} from "../../../../src/validation/json-schema/formats/dates.ts"
import { expectVerdicts } from "./verdicts.ts"

describe("isDate", () => {
  it("takes days that the calendar has", () => {
    expectVerdicts(isDate, {
      valid: ["1985-04-12", "0000-01-01", "9999-12-31", "2000-02-29", "2024-02-29", "1900-02-28"],
      invalid: ["1900-02-29", "2023-02-29", "2023-04-31", "2023-06-31", "2023-13-01", "2023-00-10", "2023-01-00"]
    })
  })

  it("takes no other notation of ISO 8601, no space and no foreign digit", () => {
    const invalid = ["19850412", "1985-102", "1985-W15-5", "85-04-12", "+1985-04-12", "1985-4-12", "1985/04/12"]
    expectVerdicts(isDate, { valid: [], invalid: [...invalid, "1985-04-12\n", " 1985-04-12", "198٥-04-12", ""] })
  })
})

describe("isTime", () => {
  it("asks for an offset", () => {
    expectVerdicts(isTime, {
      valid: ["23:20:50Z", "23:20:50.52z", "00:00:00+23:59", "16:39:57-08:00", "12:00:00.000000000001-00:00"],
      invalid: ["23:20:50", "23:20:50+1", "23:20:50+01", "23:20:50+0100", "23:20:50+24:00", "23:20:50+01:60", "23:20Z"]
    })
  })

  it("refuses fields out of range and fractions without digits", () => {
    const invalid = ["24:00:00Z", "12:60:00Z", "12:00:61Z", "12:00:00.Z", "12:00:00,5Z", "12:00:00.5 Z", "1:00:00Z", ""]
    expectVerdicts(isTime, { valid: [], invalid: [...invalid, "12:00:00ZZ", "12:00:00Z\n", "T12:00:00Z"] })
  })

  it("takes a leap second where it is 23:59:60 in UTC", () => {
    expectVerdicts(isTime, {
      valid: ["23:59:60Z", "15:59:60-08:00", "00:59:60+01:00", "05:29:60.9+05:30", "23:59:60-00:00"],
      invalid: ["23:58:60Z", "00:59:60Z", "23:59:60+01:00", "15:59:60-07:00", "16:00:60-08:00"]
    })
  })
})

describe("isDateTime", () => {
  it("takes a date and a time with T between", () => {
    expectVerdicts(isDateTime, {
      valid: ["1985-04-12T23:20:50.52Z", "1996-12-19t16:39:57-08:00", "1990-12-31T23:59:60Z"],
      invalid: ["1985-04-12 23:20:50Z", "1985-04-12T23:20:50", "1985-04-12", "1985-04-31T23:20:50Z", "1985-04-12TZ", ""]
    })
  })
})

describe("isIsoTime", () => {
  it("lets the offset be absent or short", () => {
    expectVerdicts(isIsoTime, {
      valid: ["23:20:50", "23:20:50.5", "23:20:50Z", "23:20:50+01", "23:20:50+0130", "23:20:50-01:30", "23:59:60"],
      invalid: ["23:20", "23:20:50+1", "23:20:50+01:3", "24:00:00", "23:58:60", "23:20:50 Z"]
    })
  })
})

describe("isIsoDateTime", () => {
  it("lets the offset be absent and a space separate", () => {
    expectVerdicts(isIsoDateTime, {
      valid: ["1985-04-12T23:20:50", "1985-04-12 23:20:50Z", "1985-04-12t23:20:50+01"],
      invalid: ["1985-04-12", "1985-04-12  23:20:50", "1985-04-12_23:20:50", "1985-02-29T23:20:50"]
    })
  })
})
