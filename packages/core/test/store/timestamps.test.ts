import { assert, describe, it } from "@effect/vitest"
import { isoTimestamp } from "../../src/store/timestamps.ts"

describe("isoTimestamp", () => {
  it("P12: is ISO 8601 UTC with milliseconds, in any order of calls", () => {
    assert.strictEqual(isoTimestamp(0), "1970-01-01T00:00:00.000Z")
    assert.strictEqual(isoTimestamp(1_700_000_000_001), "2023-11-14T22:13:20.001Z")
    assert.strictEqual(isoTimestamp(1_700_000_000_001), "2023-11-14T22:13:20.001Z")
    assert.strictEqual(isoTimestamp(0), "1970-01-01T00:00:00.000Z")
  })
})
