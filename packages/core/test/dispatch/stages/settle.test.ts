import { assert, describe, it } from "@effect/vitest"
import type { SecretRedactor } from "../../../src/ports/Redaction.ts"
import { createMiddlewareRegistry } from "../../../src/middleware/Middleware.ts"
import { createSecretRedactor } from "../../../src/security/Redactor.ts"
import { answering, callOf, dispatched, throwing, tool, type Trial } from "../dispatching.ts"

const SECRET = "sk-1"
const leaking = throwing(Object.assign(new Error(`bad ${SECRET}`), { code: SECRET, cause: new Error(SECRET) }))
const hook = createMiddlewareRegistry({ errorPolicy: "throw" })
hook.use("tool_result", throwing(new Error(`bad ${SECRET}`)))

/** Every way in which an error text gets out. */
const leaks: ReadonlyArray<Trial> = [
  { tools: [{ name: "t", execute: leaking }] },
  { tools: [answering("t", { error: { message: `bad ${SECRET}`, cause: { deep: [SECRET] } } })] },
  { tools: [tool("t")], middleware: hook },
  { tools: [tool("t")], validate: leaking },
  { tools: [tool("t")], validate: () => `bad ${SECRET}` },
  { tools: [tool("t")], permission: { check: leaking } },
  { tools: [tool("t")], permission: { check: () => ({ allowed: false, reason: `bad ${SECRET}` }) } }
]

describe("settle", () => {
  it("T21, R13: no error text leaves with a secret in it, in result, events or rows", async () => {
    for (const leak of leaks) {
      for (const hidden of [{ secrets: [undefined, "", SECRET] }, { redactor: createSecretRedactor([SECRET]) }]) {
        const { result, events, rows } = await dispatched(callOf("t"), { ...leak, ...hidden })
        assert.include(result.error?.message, "[REDACTED]")
        assert.notInclude(JSON.stringify([result.error, events, rows]), SECRET)
      }
    }
  })

  it("T21: secrets and redactor work together", async () => {
    const { result } = await dispatched(callOf("t"), {
      tools: [{ name: "t", execute: throwing(new Error("one two")) }],
      secrets: ["one"],
      redactor: createSecretRedactor(["two"])
    })
    assert.strictEqual(result.error?.message, "[REDACTED] [REDACTED]")
  })

  it("R13, T21: argumentsError is scrubbed too", async () => {
    const call = { ...callOf("t"), argumentsError: { message: `bad ${SECRET}` } }
    const { result } = await dispatched(call, { tools: [tool("t")], secrets: [SECRET] })
    assert.strictEqual(result.error?.message, "bad [REDACTED]")
  })

  it("T21: a host's redactor that fails on an error hides all of it, and the dispatch resolves", async () => {
    const redactor: SecretRedactor = { redact: throwing(new Error("redactor")) }
    const { result } = await dispatched(callOf("t"), {
      tools: [{ name: "t", execute: leaking }],
      redactor,
      ledger: undefined
    })
    assert.deepEqual(result.error, { message: "[REDACTED]" })
  })

  it("T8: a blocked call has one event, one row and a result of nothing but its error", async () => {
    const { result, events, rows } = await dispatched(callOf("nowhere", { a: 1 }))
    const error = { message: "Unknown tool: nowhere" }
    assert.deepEqual(result, { toolCallId: "call-nowhere", name: "nowhere", error })
    assert.strictEqual(events.length, 1)
    assert.deepInclude(events[0], {
      type: "tool_execution_blocked",
      sessionId: "s",
      runId: "r",
      toolCallId: "call-nowhere",
      name: "nowhere",
      reason: "unknown_tool",
      error
    })
    assert.strictEqual(rows.length, 1)
    assert.deepInclude(rows[0], { status: "blocked", reason: "unknown_tool", result, arguments: { a: 1 } })
  })

  it("T22: events that end a call carry a duration that is not negative, and the status", async () => {
    for (const [trial, status] of [
      [{}, "blocked"],
      [{ tools: [{ name: "t", execute: leaking }] }, "error"],
      [{ tools: [tool("t")] }, "finished"]
    ] as const) {
      const { events } = await dispatched(callOf("t"), trial)
      const end = events.at(-1)
      assert.isTrue(end !== undefined && "metadata" in end)
      const { durationMs, ...rest } = Object(end !== undefined && "metadata" in end ? end.metadata : {})
      assert.isAtLeast(durationMs, 0)
      assert.deepEqual(rest, { status })
    }
  })

  it("T21: without a secret, errors and results come as they are", async () => {
    const { result } = await dispatched(callOf("t"), { tools: [{ name: "t", execute: leaking }] })
    assert.deepEqual(result.error, { name: "Error", message: `bad ${SECRET}`, code: SECRET, cause: `Error: ${SECRET}` })
  })
})
