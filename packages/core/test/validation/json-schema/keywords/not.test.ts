import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

describe("not", () => {
  it("refuses what matches", () => {
    accepts({ not: { type: "string" } }, 1, null, [])
    refuses({ not: { type: "string" } }, "", "a")
    refuses({ not: {} }, 1, null)
    refuses({ not: true }, 1)
    accepts({ not: false }, 1)
    accepts({ not: { not: { type: "integer" } } }, 1)
    refuses({ not: { not: { type: "integer" } } }, "1")
  })

  it("stands beside other keywords", () => {
    const schema = { type: "object", properties: { a: { not: { enum: ["x", null] } } }, not: { required: ["b"] } }
    accepts(schema, {}, { a: "y" })
    refuses(schema, { a: "x" }, { a: null }, { b: 1 }, "a")
  })

  it("says that it matched", () => {
    explains({ not: { type: "string" } }, "a", ['must not match the schema under "not", got "a"'])
  })

  it("J10: judges arrays, and still every item within keeps the bounds", () => {
    const schema = { not: { required: ["l"], properties: { l: { items: { type: "object" } } } } }
    accepts(schema, { l: [{}, 1] }, {})
    refuses(schema, { l: [{}] }, { l: [] }, { l: 1 })
    for (const more of [{}, { type: "object" }, { type: "object", properties: { l: { items: {} } } }]) {
      const value: unknown = JSON.parse('{"l":[{"__proto__":{"a":1}},1]}')
      explains({ ...schema, ...more }, value, ["l[0].__proto__: forbidden property key"])
    }
  })

  it("J12: must be a schema", () => {
    for (const bad of [1, "a", null, []]) {
      assert.strictEqual(rejection({ not: bad }), "#/not: must be a schema: an object or a boolean")
    }
  })
})
