import { assert, describe, it } from "@effect/vitest"
import { accepts, draft04, draft06, draft07, draft201909, draft202012, isReadable, rejection } from "../verdicts.ts"

describe("annotations", () => {
  it("assert nothing", () => {
    const schema = {
      $comment: "for people",
      title: "T",
      description: "D",
      default: 5,
      examples: ["a"],
      readOnly: true,
      writeOnly: true,
      deprecated: true,
      contentEncoding: "base64",
      contentMediaType: "application/json",
      contentSchema: { type: "string" }
    }
    accepts(schema, 1, null, "not base64 !", {})
  })

  it("J12: have the type that 2020-12 gives them", () => {
    for (const name of ["$comment", "title", "description", "contentEncoding", "contentMediaType", "$schema"]) {
      assert.strictEqual(rejection({ [name]: 7 }), `#/${name}: must be a string`)
    }
    for (const name of ["readOnly", "writeOnly", "deprecated"]) {
      assert.strictEqual(rejection({ [name]: "yes" }), `#/${name}: must be a boolean`)
    }
    assert.strictEqual(rejection({ examples: {} }), "#/examples: must be an array")
    assert.strictEqual(rejection({ contentSchema: 1 }), "#/contentSchema: must be a schema: an object or a boolean")
    isReadable({ default: { $ref: "other.json", type: 5 }, examples: [{ $ref: "other.json" }] })
  })

  it("J12: are unknown keywords, and may have any value, in dialects older than they", () => {
    const younger = {
      [draft04]: ["examples", "readOnly", "writeOnly", "$comment", "contentEncoding", "contentMediaType"],
      [draft06]: ["$comment", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"],
      [draft07]: ["deprecated", "contentSchema", "$recursiveAnchor", "$anchor", "$dynamicAnchor", "$defs"],
      [draft201909]: ["$dynamicAnchor"],
      [draft202012]: ["$recursiveAnchor"]
    }
    const refused = Object.entries(younger).flatMap(([$schema, names]) =>
      names.flatMap((name) => {
        const reason = rejection({ $schema, [name]: 7 })
        return reason === "accepted" ? [] : [`${$schema} ${reason}`]
      })
    )
    assert.deepStrictEqual(refused, [])
  })
})

describe("definitions", () => {
  it("assert nothing of the value", () => {
    accepts({ $defs: { a: false }, definitions: { b: { type: "null" } } }, 1, { a: 1, b: 1 })
  })

  it("J12: must be objects of schemas, even where nothing refers to them", () => {
    for (const name of ["$defs", "definitions"]) {
      assert.strictEqual(rejection({ [name]: { a: 1 } }), `#/${name}/a: must be a schema: an object or a boolean`)
      assert.strictEqual(rejection({ [name]: 1 }), `#/${name}: must be an object`)
      assert.strictEqual(
        rejection({ [name]: { a: { type: "int" } } }),
        `#/${name}/a/type: must name a type of JSON Schema, got "int"`
      )
      isReadable({ [name]: [] })
    }
  })
})
