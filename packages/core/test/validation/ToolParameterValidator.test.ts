import { assert, describe, it } from "@effect/vitest"
import type { ToolArgumentValidationResult, ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import { createToolParameterValidator } from "../../src/validation/ToolParameterValidator.ts"

const bare: ToolDefinition = { name: "t", execute: () => ({ toolCallId: "c", name: "t" }) }
const tool: ToolDefinition = { ...bare, parameters: { type: "object" } }
const context = { sessionId: "s", runId: "r", toolCallId: "c" }

const validate = (result: unknown, options?: { readonly missingSchema?: "allow" | "reject" }, of = tool) =>
  createToolParameterValidator({ validate: () => result as ToolArgumentValidationResult }, options)(
    of,
    { a: 1 },
    context
  )

describe("createToolParameterValidator", () => {
  it("T37: a tool without a schema is refused when asked for, else passes unasked", () => {
    const refusing = { ok: false, errors: [{ message: "never" }] }
    assert.strictEqual(validate(refusing, { missingSchema: "reject" }, bare), "Tool t has no parameters schema")
    assert.isUndefined(validate(refusing, { missingSchema: "allow" }, bare))
    assert.isUndefined(validate(refusing, {}, bare))
    assert.isUndefined(validate(refusing, undefined, bare))
  })

  it("T38: errors are joined, each with its path", () => {
    const errors = [{ path: "/a", message: "is 1" }, { message: "is wrong" }, { path: "", message: "is bare" }]
    assert.strictEqual(validate({ ok: false, errors }), "/a: is 1; is wrong; is bare")
  })

  it("T38: without errors the text names the tool", () => {
    assert.strictEqual(validate({ ok: false }), "Tool arguments failed validation: t")
    assert.strictEqual(validate({ ok: false, errors: [] }), "Tool arguments failed validation: t")
  })

  it("T38: the code of a result becomes the code of the error", () => {
    const result = { ok: false, errors: [{ path: "/p", message: "no" }], code: "schema_rejected" }
    assert.deepEqual(validate(result), { message: "/p: no", code: "schema_rejected" })
    const bareCode = { message: "Tool arguments failed validation: t", code: "c" }
    assert.deepEqual(validate({ ok: false, code: "c" }), bareCode)
  })

  it("T38: anything but a plain yes is a refusal", () => {
    for (const result of [{}, { ok: 1 }, { ok: "true" }, Promise.resolve({ ok: true })]) {
      assert.strictEqual(validate(result), "Tool arguments failed validation: t")
    }
  })

  it("T14: a validator that throws is left to throw", () => {
    const throwing = createToolParameterValidator({
      validate: () => {
        throw new Error("broken")
      }
    })
    assert.throws(() => throwing(tool, {}, context), "broken")
  })

  it("T38: the validator sees the tool's schema and the arguments; a yes passes", () => {
    const seen: Array<unknown> = []
    const judge = createToolParameterValidator({ validate: (...asked) => (seen.push(asked), { ok: true }) })
    assert.isUndefined(judge(tool, { a: 1 }, context))
    assert.deepEqual(seen, [[{ type: "object" }, { a: 1 }]])
  })
})
