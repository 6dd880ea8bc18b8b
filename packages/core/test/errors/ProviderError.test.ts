import { assert, describe, it } from "@effect/vitest"
import { ProviderError } from "../../src/errors/ProviderError.ts"

describe("ProviderError", () => {
  it("says what the provider said, and keeps the cause", () => {
    const cause = new Error("socket")
    const error = new ProviderError({ error: { message: "busy", code: 503 }, cause })
    assert.deepStrictEqual(
      [error.message, error._tag, error.error.code, error.cause],
      ["busy", "ProviderError", 503, cause]
    )
  })
})
