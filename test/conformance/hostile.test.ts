import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { SchemaLimits, ValidationLimits } from "../../packages/core/src/limits/SchemaLimits.ts"
import type { JsonObject } from "../../packages/core/src/schema/Json.ts"
import { createJsonSchemaArgumentValidator } from "../../packages/core/src/validation/json-schema/index.ts"
import { makeValidator } from "../../packages/core/src/validation/json-schema/JsonSchemaValidator.ts"
import { steps } from "../../packages/core/src/validation/json-schema/steps.ts"
import { hostileCases, hostileValues } from "./hostileCases.ts"

const limits = Result.getOrThrow(SchemaLimits.resolve({}))
const { steps: stepLimit, hotAfter } = ValidationLimits.table
const { hardCap } = stepLimit
/** A message tells of a value, and never carries it. */
const MAX_MESSAGE = 4_096

interface Taken {
  readonly total: number
  /** Of the largest pass. */
  readonly most: number
}

/** The steps that were taken while `run` ran. Each grant begins a pass. */
const stepsOf = (run: () => void): Taken => {
  const { left: before } = steps
  let left = before
  let wasRead = false
  const passes = [0]
  Object.defineProperty(steps, "left", {
    configurable: true,
    enumerable: true,
    get() {
      wasRead = true
      return left
    },
    set(next: number) {
      // A step is taken off what was read; a grant reads nothing. Below zero nothing is taken: the validation ends there.
      const pass = passes.length - 1
      if (!wasRead || next > left) passes.push(0)
      else if (next >= 0) passes[pass] = (passes[pass] ?? 0) + left - next
      wasRead = false
      left = next
    }
  })
  try {
    run()
  } finally {
    Object.defineProperty(steps, "left", { configurable: true, enumerable: true, writable: true, value: before })
  }
  return { total: passes.reduce((sum, pass) => sum + pass), most: Math.max(...passes) }
}

const assertUnpolluted = (): void => {
  assert.deepStrictEqual(Object.keys(Object.prototype), [])
  assert.isUndefined(Object.getOwnPropertyDescriptor(Object.prototype, "polluted"))
  assert.isUndefined(({} as Record<string, unknown>)["polluted"])
}

describe("hostile schemas and values", () => {
  for (const { name, schema, value } of hostileCases) {
    it(`${name}: answered, each pass within the steps, in every tier`, { timeout: 30_000 }, () => {
      const given = schema() as JsonObject
      const instance = value()
      const compiled = makeValidator(limits).compile(given)
      if (Result.isFailure(compiled)) {
        assert.strictEqual(createJsonSchemaArgumentValidator().validate(given, instance).code, "schema_rejected")
      } else {
        const answers: Array<ReturnType<typeof compiled.success.problems>> = []
        const ask = (): void => {
          answers.push(compiled.success.problems(instance))
        }
        assert.isAtMost(stepsOf(ask).most, hardCap)
        compiled.success.generate()
        assert.isAtMost(stepsOf(ask).most, hardCap)
        const messages = answers.flatMap((problems) => problems?.map(({ message }) => message) ?? [])
        for (const message of messages) assert.isAtMost(message.length, MAX_MESSAGE)
        const isExhausted = messages.some((message) => message.startsWith("validation takes more than"))
        if (!isExhausted) assert.strictEqual(answers[0] === undefined, answers[1] === undefined)
      }
      assertUnpolluted()
    })
  }

  it("verdict and explanation together stay within the steps of one validation", () => {
    const validator = createJsonSchemaArgumentValidator()
    const { total } = stepsOf(() => {
      assert.isFalse(validator.validate({ format: "date" }, "1".repeat(1_000_000)).ok)
    })
    assert.isAtMost(total, hardCap)
  })

  for (const [name, make] of hostileValues) {
    it(`${name}: is no JSON, and refused without a throw`, () => {
      const validator = createJsonSchemaArgumentValidator()
      const value = make()
      for (const schema of [{}, { type: "object", properties: { a: { items: {} } } }, { not: { type: "object" } }]) {
        for (let call = 0; call <= hotAfter.hardCap; call++) assert.isFalse(validator.validate(schema, value).ok)
      }
      assert.strictEqual(validator.validate({ default: value } as JsonObject, {}).code, "schema_rejected")
      assertUnpolluted()
    })
  }
})
