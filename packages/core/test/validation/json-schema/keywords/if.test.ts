import { assert, describe, it } from "@effect/vitest"
import { accepts, draft06, explains, refuses, rejection } from "../verdicts.ts"

const schema = {
  if: { properties: { country: { const: "US" } }, required: ["country"] },
  // oxlint-disable-next-line unicorn/no-thenable
  then: { properties: { zip: { pattern: "^\\d{5}$" } } },
  else: { properties: { zip: { maxLength: 3 } } }
}

describe("if", () => {
  it("chooses between then and else", () => {
    accepts(schema, { country: "US", zip: "12345" }, { country: "DE", zip: "abc" }, {}, { country: "US" }, 1)
    refuses(schema, { country: "US", zip: "abc" }, { country: "DE", zip: "12345" }, { zip: "abcd" })
  })

  it("with one of them judges in that case alone", () => {
    const { else: _else, ...onlyThen } = schema
    accepts(onlyThen, { zip: "abcd" }, { country: "US", zip: "12345" })
    refuses(onlyThen, { country: "US", zip: "a" })
    const { then: _then, ...onlyElse } = schema
    accepts(onlyElse, { country: "US", zip: "abcd" })
    refuses(onlyElse, { zip: "abcd" })
  })

  it("alone judges nothing", () => {
    accepts({ if: false }, 1)
    accepts({ if: { type: "string" } }, 1, "a")
  })

  it("takes booleans", () => {
    refuses({ if: true, then: false }, 1)
    accepts({ if: true, else: false }, 1)
    refuses({ if: false, else: false }, 1)
  })

  it("is what then and else need", () => {
    accepts({ then: false, else: false }, 1)
  })

  it("nests", () => {
    const nested = {
      if: { type: "integer" },
      then: { if: { minimum: 10 }, then: { multipleOf: 10 } },
      else: { type: "null" }
    }
    accepts(nested, 3, 20, null)
    refuses(nested, 15, "a", 1.5)
  })

  it("tells what the chosen schema says", () => {
    explains(schema, { country: "US", zip: "abc" }, ['/zip: must match the pattern "^\\d{5}$", got "abc"'])
    explains(schema, { zip: "abcd" }, ["/zip: must have at most 3 characters, got 4"])
  })

  it("is unknown to draft-06", () => {
    accepts({ $schema: draft06, if: true, then: false }, 1)
    accepts({ $schema: draft06, if: 5, then: "a" }, 1)
  })

  it("J12: must be a schema, as must then and else", () => {
    for (const name of ["if", "then", "else"]) {
      assert.strictEqual(rejection({ [name]: 1 }), `#/${name}: must be a schema: an object or a boolean`)
    }
  })
})
