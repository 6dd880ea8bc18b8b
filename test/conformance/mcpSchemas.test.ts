import { assert, describe, it, vi } from "@effect/vitest"
import { ValidationLimits } from "../../packages/core/src/limits/SchemaLimits.ts"
import { createJsonSchemaArgumentValidator } from "../../packages/core/src/validation/json-schema/index.ts"
import { mcpSchemas, writtenSchemas } from "./mcpSchemas.ts"

/** Verdicts of a schema that is new, and of one that was asked so often that code was generated for it. */
const rounds = 2 * ValidationLimits.table.hotAfter.hardCap

describe("schemas as tool servers list them", () => {
  it("are 300, of which at least 120 differ in shape", () => {
    assert.lengthOf(mcpSchemas, 300)
    assert.strictEqual(new Set(mcpSchemas.map(({ name }) => name)).size, 300)
    assert.isAtLeast(writtenSchemas.length, 120)
  })

  for (const listed of mcpSchemas) {
    if ("valid" in listed) {
      const { name, schema, valid, invalid } = listed
      it(`${name}: is admitted, and judges rightly in every tier`, () => {
        const validator = createJsonSchemaArgumentValidator()
        for (let round = 0; round < rounds; round++) {
          assert.deepStrictEqual(validator.validate(schema, valid), { ok: true }, `valid, call ${2 * round}`)
          const { ok, code, errors } = validator.validate(schema, invalid)
          assert.deepStrictEqual({ ok, code }, { ok: false, code: undefined }, `invalid, call ${2 * round + 1}`)
          assert.isAtLeast(errors?.length ?? 0, 1)
        }
      })
    } else {
      const { name, schema, pointer, reason } = listed
      it(`${name}: is refused for a stated reason`, () => {
        const result = createJsonSchemaArgumentValidator().validate(schema, {})
        const message = `schema rejected at #${pointer}: ${reason}`
        const error = pointer === "" ? { message } : { path: pointer, message }
        assert.deepStrictEqual(result, { ok: false, code: "schema_rejected", errors: [error] })
      })
    }
  }

  it("do not affect each other in one validator, and write nothing", () => {
    const writes = [
      vi.spyOn(process.stdout, "write"),
      vi.spyOn(process.stderr, "write"),
      ...(["log", "info", "warn", "error", "debug"] as const).map((method) => vi.spyOn(console, method))
    ]
    try {
      const validator = createJsonSchemaArgumentValidator()
      const wrong: Array<string> = []
      for (let round = 0; round < rounds; round++) {
        for (const listed of mcpSchemas) {
          const value = "valid" in listed ? listed.valid : {}
          const { ok, code } = validator.validate(listed.schema, value)
          if (ok !== "valid" in listed || (code === "schema_rejected") === ok) wrong.push(listed.name)
          if ("valid" in listed && validator.validate(listed.schema, listed.invalid).ok) wrong.push(listed.name)
        }
      }
      assert.deepStrictEqual([...new Set(wrong)], [])
      for (const write of writes) assert.strictEqual(write.mock.calls.length, 0)
    } finally {
      for (const write of writes) write.mockRestore()
    }
  })
})
