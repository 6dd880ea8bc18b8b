import { assert, describe, it } from "@effect/vitest"
import { RunLimitError } from "../../src/errors/RunLimitError.ts"

describe("RunLimitError", () => {
  it("says which limit and how much", () => {
    const error = new RunLimitError({ limit: "maxWallMs", max: 500 })
    assert.deepStrictEqual(
      [error.message, error.code, error._tag],
      ["Run limit reached: maxWallMs 500", "ERR_PRISM_RUN_LIMIT", "RunLimitError"]
    )
  })
})
