import { assert, describe, it } from "@effect/vitest"
import { ToolBlockedError } from "../../src/errors/ToolBlockedError.ts"

describe("ToolBlockedError", () => {
  it("T7: is an error with the gate as its reason and the words for the model as its message", () => {
    const error = new ToolBlockedError({ reason: "tool_denied", error: { message: "Tool denied: x" } })
    assert.instanceOf(error, Error)
    assert.deepInclude(error, {
      _tag: "ToolBlockedError",
      code: "ERR_PRISM_TOOL_BLOCKED",
      reason: "tool_denied",
      message: "Tool denied: x"
    })
  })
})
