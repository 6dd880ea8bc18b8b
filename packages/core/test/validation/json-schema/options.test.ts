import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ToolDefinition } from "../../../src/ports/ToolDefinition.ts"
import {
  createJsonSchemaArgumentCoercion,
  createJsonSchemaArgumentValidator,
  createJsonSchemaToolArgumentValidator,
  JsonSchemaValidator,
  type JsonSchemaValidatorOptions
} from "../../../src/validation/json-schema/index.ts"
import { fromJsonSchema } from "../../../src/validation/json-schema/toEffectSchema.ts"
import { untyped } from "./verdicts.ts"

/** Hard cap of each option, as the contract has it. */
const caps = [
  ["maxErrors", 64],
  ["maxDepth", 128],
  ["maxProperties", 100_000],
  ["maxStringLength", 8_388_608],
  ["maxArrayLength", 100_000],
  ["maxSchemaBytes", 1_048_576],
  ["maxSchemaDepth", 128],
  ["maxSchemaProperties", 100_000],
  ["maxSchemaKeywords", 100_000],
  ["maxSchemaRefs", 1024],
  ["maxCompiledSchemas", 1024]
] as const

const constructors: ReadonlyArray<(options: JsonSchemaValidatorOptions) => unknown> = [
  createJsonSchemaArgumentValidator,
  createJsonSchemaToolArgumentValidator,
  (options) => createJsonSchemaArgumentCoercion({ ...options, tools: [] }),
  (options) => fromJsonSchema(true, options)
]

const thrown = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

describe("options", () => {
  it("J1: each is a positive safe integer that its cap bounds; nothing is clamped", () => {
    for (const [option, cap] of caps) {
      const bad = [
        0,
        -0,
        -1,
        Number.NaN,
        Infinity,
        -Infinity,
        2 ** 53,
        1.5,
        cap + 1,
        cap + 0.5,
        "8",
        null,
        true,
        [8],
        8n
      ]
      for (const value of bad) {
        for (const construct of constructors) {
          const error = thrown(() => construct(untyped({ [option]: value })))
          assert.instanceOf(error, RangeError)
          assert.strictEqual(error.message, `${option} must be a positive safe integer no greater than ${cap}`)
        }
      }
    }
  })

  it("J2: each may have its hard cap, 1, and nothing", () => {
    for (const [option, cap] of caps) {
      for (const construct of constructors) {
        assert.isDefined(construct({ [option]: cap }))
        assert.isDefined(construct({ [option]: undefined }))
      }
      assert.isDefined(createJsonSchemaArgumentValidator({ [option]: 1 }))
    }
    const widest = createJsonSchemaArgumentValidator(Object.fromEntries(caps))
    assert.deepStrictEqual(widest.validate({ type: "integer" }, 1), { ok: true })
  })

  it("J1: an option that nobody knows is refused", () => {
    assert.throws(
      () => createJsonSchemaArgumentValidator(untyped({ maxerrors: 8 })),
      RangeError,
      "Unknown option: maxerrors"
    )
    assert.throws(
      () => createJsonSchemaToolArgumentValidator(untyped({ strict: true })),
      RangeError,
      "Unknown option: strict"
    )
  })

  it("the options are read once", () => {
    const options = { maxErrors: 1 }
    const { validate } = createJsonSchemaArgumentValidator(options)
    options.maxErrors = 64
    assert.lengthOf(validate({ required: ["a", "b"] }, {}).errors ?? [], 1)
  })

  it.effect("J1: the layer fails with the bound that is out of range", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(Layer.build(JsonSchemaValidator.layer({ maxErrors: 65 })))
      assert.deepInclude(failure, { _tag: "LimitError", limit: "maxErrors", value: 65, max: 64 })
    })
  )

  it.effect("the service validates and compiles", () =>
    Effect.gen(function* () {
      const validator = yield* JsonSchemaValidator
      assert.deepStrictEqual(validator.validate({ type: "string" }, "a"), { ok: true })
      assert.deepStrictEqual(validator.validate({ required: ["a", "b"] }, {}).errors, [
        { message: 'must have the property "a"' }
      ])
    }).pipe(Effect.provide(JsonSchemaValidator.layer({ maxErrors: 1 })))
  )
})

describe("missingSchema", () => {
  const bare: ToolDefinition = { name: "look", execute: () => ({ toolCallId: "c", name: "look" }) }
  const context = { sessionId: "s", runId: "r", toolCallId: "c" }

  it("lets a tool without parameters through, unless it is told to reject", () => {
    assert.isUndefined(createJsonSchemaToolArgumentValidator()(bare, { a: 1 }, context))
    assert.isUndefined(createJsonSchemaToolArgumentValidator({ missingSchema: "allow" })(bare, {}, context))
    assert.strictEqual(
      createJsonSchemaToolArgumentValidator({ missingSchema: "reject" })(bare, {}, context),
      "Tool look has no parameters schema"
    )
  })

  it("judges a tool that has them", () => {
    const judge = createJsonSchemaToolArgumentValidator({ missingSchema: "reject", maxErrors: 1 })
    const tool = { ...bare, parameters: { type: "object", required: ["path", "line"] } }
    assert.isUndefined(judge(tool, { path: "a", line: 1 }, context))
    assert.strictEqual(judge(tool, {}, context), 'must have the property "path"')
    const broken = { ...bare, parameters: { properties: { a: { type: "int" } } } }
    assert.deepStrictEqual(judge(broken, {}, context), {
      message: '/properties/a/type: schema rejected at #/properties/a/type: must name a type of JSON Schema, got "int"',
      code: "schema_rejected"
    })
  })
})
