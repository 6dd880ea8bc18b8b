import { describe, it } from "vitest"
import { isBase64 } from "../../../../src/validation/json-schema/formats/encodings.ts"
import { expectVerdicts } from "./verdicts.ts"

describe("isBase64", () => {
  it("takes the vectors of RFC 4648 §10", () => {
    expectVerdicts(isBase64, {
      valid: ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy", "+/+/"],
      invalid: ["Zg", "Zg=", "Zm8", "Z===", "====", "==", "Zg==Zg==", "Zm9v\n", "Zm 9v", "-_-_", "Zm9é", "=Zm9"]
    })
  })
})
