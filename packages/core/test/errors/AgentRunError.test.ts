import { assert, describe, it } from "@effect/vitest"
import { AgentRunError } from "../../src/errors/AgentRunError.ts"

const result = { sessionId: "s", runId: "r", status: "failed", text: "", content: [] } as const

describe("AgentRunError", () => {
  it("S7: says what the result's error says, else how the run ended", () => {
    assert.strictEqual(new AgentRunError({ result: { ...result, error: { message: "boom" } } }).message, "boom")
    assert.strictEqual(new AgentRunError({ result }).message, "Agent run failed")
    assert.strictEqual(new AgentRunError({ result: { ...result, status: "aborted" } }).message, "Agent run aborted")
  })

  it("S7: is an Error of its name with result and cause", () => {
    const cause = new Error("inner")
    const error = new AgentRunError({ result, cause })
    assert.instanceOf(error, Error)
    assert.deepStrictEqual(
      [error.name, error._tag, error.cause, error.result],
      ["AgentRunError", "AgentRunError", cause, result]
    )
    assert.strictEqual(String(error), "AgentRunError: Agent run failed")
  })
})
