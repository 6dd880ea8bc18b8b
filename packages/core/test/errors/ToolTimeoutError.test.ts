import { assert, describe, it } from "@effect/vitest"
import { ToolTimeoutError } from "../../src/errors/ToolTimeoutError.ts"

describe("ToolTimeoutError", () => {
  it("T41: has the documented code and message", () => {
    const error = new ToolTimeoutError({ tool: "shell", timeoutMs: 1500 })
    assert.instanceOf(error, Error)
    assert.deepInclude(error, {
      _tag: "ToolTimeoutError",
      code: "ERR_PRISM_TOOL_TIMEOUT",
      message: "Tool shell timed out after 1500 ms"
    })
  })
})
