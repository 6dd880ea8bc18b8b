import { assert, describe, it } from "@effect/vitest"
import { createJsonSchemaArgumentValidator } from "../../../src/validation/json-schema/JsonSchemaValidator.ts"
import { compile, generated } from "./verdicts.ts"

/** The second branch always matches; the first goes through the items of `x` and fails at the last. */
const schema = {
  anyOf: [{ type: "object", properties: { x: { type: "array", items: { type: "array", items: {} } } } }, {}]
}

describe("items that passed", () => {
  it("J10: keep the bounds only at the depth where they were found", () => {
    const list = [[1], "no list"]
    const value = { x: list, y: { z: list } }
    for (const compiled of [compile(schema, { maxDepth: 3 }), generated(schema, { maxDepth: 3 })]) {
      assert.strictEqual(compiled.problems(value)?.[0]?.message, "y.z[0][0]: exceeds maximum depth 3")
    }
  })

  it("J16: are nothing to a validation within another one", () => {
    const list = ["abcdef", 1]
    const strict = createJsonSchemaArgumentValidator({ maxStringLength: 3 })
    const inner: Array<boolean> = []
    const value = {
      x: list,
      get y() {
        inner.push(strict.validate({}, list).ok)
        return 1
      }
    }
    const loose = generated({ anyOf: [{ properties: { x: { items: { type: "string" } } } }, true] })
    loose.problems(value)
    assert.isAbove(inner.length, 0)
    assert.notInclude(inner, true)
  })

  it("J20: a schema too deep for the generator stays in the first tier", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => {
        let inner: object = index === 59 ? {} : { $ref: `#/$defs/d${index + 1}` }
        for (let level = 0; level < 55; level++) inner = { items: inner }
        return [`d${index}`, inner]
      })
    )
    const compiled = compile({ $ref: "#/$defs/d0", $defs })
    for (let call = 0; call < 70; call++) assert.isUndefined(compiled.problems([]))
  })
})
