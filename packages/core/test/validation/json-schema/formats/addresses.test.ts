import { describe, it } from "vitest"
import { isIpv4, isIpv6 } from "../../../../src/validation/json-schema/formats/addresses.ts"
import { expectVerdicts } from "./verdicts.ts"

describe("isIpv4", () => {
  it("takes four octets in decimal", () => {
    expectVerdicts(isIpv4, {
      valid: ["0.0.0.0", "10.1.2.3", "203.0.113.195", "249.250.199.99", "255.255.255.255"],
      invalid: [
        "256.0.0.1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "1.2.3.4/8",
        "1.2.3.4:80",
        "16909060",
        ""
      ]
    })
  })

  it("takes none that readers disagree about", () => {
    const invalid = ["010.0.0.1", "1.2.3.04", "00.0.0.0", "0x1.2.3.4", "1.2.3.4 ", "1.2.3.4\n", "１.2.3.4", "1.2.3.-4"]
    expectVerdicts(isIpv4, { valid: [], invalid })
  })
})

describe("isIpv6", () => {
  it("takes the forms of RFC 4291 §2.2", () => {
    const full = ["ABCD:EF01:2345:6789:ABCD:EF01:2345:6789", "2001:DB8:0:0:8:800:200C:417A"]
    const compressed = [
      "::",
      "::1",
      "FF01::101",
      "2001:db8::",
      "1::8",
      "1:2:3:4:5:6:7::",
      "::2:3:4:5:6:7:8",
      "1:2:3::5:6:7:8"
    ]
    const dotted = ["::13.1.68.3", "::FFFF:129.144.52.38", "0:0:0:0:0:FFFF:129.144.52.38", "1:2:3:4:5::1.2.3.4"]
    expectVerdicts(isIpv6, { valid: [...full, ...compressed, ...dotted], invalid: [] })
  })

  it("refuses too few or too many groups, two gaps, and dotted quads elsewhere than at the end", () => {
    const counts = [
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1:2:3:4:5:6:7:1.2.3.4",
      "1:2:3:4:5:6:7:8::",
      "1:2:3:4::5:6:7:8"
    ]
    const gaps = ["1::2::3", ":::", "1:::2", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", ":", ":1", "1:"]
    const quads = ["1.2.3.4::", "1.2.3.4", "::1.2.3.4:1", "::1.2.3", "::1.2.3.256", "::01.2.3.4", "1.2.3.4:1:2:3:4:5:6"]
    expectVerdicts(isIpv6, { valid: [], invalid: [...counts, ...gaps, ...quads] })
  })

  it("refuses what is no part of an address", () => {
    const invalid = ["12345::", "::g", "fe80::1%eth0", "2001:db8::/32", "[::1]", " ::1", "::1\n", "::１", "", "1"]
    expectVerdicts(isIpv6, { valid: [], invalid })
  })
})
