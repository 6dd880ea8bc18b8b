import { assert, describe, it } from "@effect/vitest"
import { ToolResultError } from "../../src/errors/ToolResultError.ts"

describe("ToolResultError", () => {
  it("T16: names the tool and what was wrong with its answer", () => {
    const error = new ToolResultError({ tool: "read", problem: "a result object was expected, not null" })
    assert.instanceOf(error, Error)
    assert.deepInclude(error, {
      _tag: "ToolResultError",
      code: "ERR_PRISM_TOOL_RESULT_INVALID",
      message: "Tool read returned no valid result: a result object was expected, not null"
    })
  })
})
