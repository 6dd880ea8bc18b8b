import { assert, describe, it } from "@effect/vitest"
import {
  accepts,
  draft04,
  draft06,
  draft07,
  draft201909,
  draft202012,
  isReadable,
  refuses,
  rejection
} from "./verdicts.ts"

/** `$schema` in each spelling that is read. */
const spellings = (path: string): ReadonlyArray<string> =>
  ["http", "https"].flatMap((scheme) => ["", "#"].map((end) => `${scheme}://json-schema.org/${path}${end}`))

/** Schemas that exactly one side of a border between two releases refuses. */
const sinceDraft06 = { const: 1 }
const sinceDraft07 = { if: true, then: false }
const since201909 = { dependentRequired: { a: ["b"] } }
const since202012 = { prefixItems: [{ type: "string" }] }

const refusals = ($schema: string): ReadonlyArray<boolean> =>
  [
    [sinceDraft06, 2],
    [sinceDraft07, 1],
    [since201909, { a: 1 }],
    [since202012, [1]]
  ].map(([schema, value]) => {
    const full = { $schema, ...(schema as object) }
    try {
      refuses(full, value)
      return true
    } catch {
      accepts(full, value)
      return false
    }
  })

describe("a declared dialect", () => {
  it("is known by http or https, with # at the end or not", () => {
    const known = {
      "draft-04/schema": [false, false, false, false],
      "draft-06/schema": [true, false, false, false],
      "draft-07/schema": [true, true, false, false],
      "draft/2019-09/schema": [true, true, true, false],
      "draft/2020-12/schema": [true, true, true, true]
    }
    for (const [path, expected] of Object.entries(known)) {
      for (const $schema of spellings(path)) assert.deepStrictEqual(refusals($schema), expected, $schema)
    }
  })

  it("names its schemas with id in draft-04, with $id since", () => {
    const named = (word: string) => ({
      definitions: { a: { [word]: "#a", type: "integer" } },
      properties: { p: { $ref: "#a" } }
    })
    accepts({ $schema: draft04, ...named("id") }, { p: 1 })
    refuses({ $schema: draft04, ...named("id") }, { p: "x" })
    for (const $schema of [draft06, draft07]) {
      accepts({ $schema, ...named("$id") }, { p: 1 })
      refuses({ $schema, ...named("$id") }, { p: "x" })
      assert.strictEqual(rejection({ $schema, ...named("id") }), '#/properties/p/$ref: leads nowhere: "#a"')
    }
    isReadable({ $schema: draft04, $id: 7 })
    isReadable({ $schema: draft07, id: 7 })
    assert.strictEqual(rejection({ $schema: draft04, id: 7 }), "#/id: must be a string")
    assert.strictEqual(rejection({ $schema: draft07, $id: 7 }), "#/$id: must be a string")
  })

  it("names a place with $anchor since 2019-09", () => {
    for (const $schema of [draft201909, draft202012]) {
      const schema = {
        $schema,
        $defs: { a: { $anchor: "here", type: "integer" } },
        properties: { p: { $ref: "#here" } }
      }
      accepts(schema, { p: 1 })
      refuses(schema, { p: "x" })
      assert.strictEqual(
        rejection({ $schema, $defs: { a: { $id: "#here" } } }),
        "#/$defs/a/$id: must not have a fragment"
      )
    }
  })

  it("ignores what stands beside $ref before 2019-09", () => {
    const schema = {
      definitions: { small: { maximum: 9 } },
      properties: { p: { $ref: "#/definitions/small", type: "string", minimum: 5 } }
    }
    for (const $schema of [draft04, draft06, draft07]) {
      accepts({ $schema, ...schema }, { p: 1 }, { p: "a" })
      refuses({ $schema, ...schema }, { p: 10 })
      isReadable({ $schema, ...schema, properties: { p: { $ref: "#/definitions/small", type: "no type", items: 5 } } })
    }
    for (const $schema of [draft201909, draft202012]) {
      refuses({ $schema, ...schema }, { p: 1 }, { p: 10 })
      accepts({ $schema, ...schema }, { p: "a" })
    }
  })

  it("takes the siblings of a $ref for the name of nothing before 2019-09", () => {
    const schema = {
      $schema: draft07,
      $id: "https://example.org/root",
      definitions: { a: { type: "integer" } },
      properties: { p: { $id: "https://elsewhere.org/x", $ref: "#/definitions/a" } }
    }
    accepts(schema, { p: 1 })
    refuses(schema, { p: "a" })
  })

  it("has definitions in every release", () => {
    for (const $schema of [draft04, draft06, draft07, draft201909, draft202012]) {
      refuses(
        { $schema, definitions: { a: { type: "null" } }, properties: { p: { $ref: "#/definitions/a" } } },
        { p: 1 }
      )
    }
  })

  it("may be another one in a resource of its own", () => {
    const schema = {
      $schema: draft202012,
      $id: "https://example.org/root",
      properties: { old: { $ref: "#/$defs/old" }, young: { prefixItems: [{ type: "string" }] } },
      $defs: { old: { $id: "old", $schema: draft07, items: [{ type: "string" }], prefixItems: [{ type: "null" }] } }
    }
    accepts(schema, { old: ["a"], young: ["a"] })
    refuses(schema, { old: [1] }, { young: [1] })
  })
})

describe("a dialect that is not declared, or unknown", () => {
  const lenient = [
    {},
    { $schema: "https://example.org/my-schema" },
    { $schema: "" },
    { $schema: "json-schema.org/draft-07/schema" }
  ]

  it("is read as 2020-12", () => {
    for (const dialect of lenient) {
      refuses({ ...dialect, ...sinceDraft06 }, 2)
      refuses({ ...dialect, ...sinceDraft07 }, 1)
      refuses({ ...dialect, ...since201909 }, { a: 1 })
      refuses({ ...dialect, ...since202012 }, [1])
      const sibling = { $defs: { a: { type: "integer" } }, properties: { p: { $ref: "#/$defs/a", minimum: 5 } } }
      refuses({ ...dialect, ...sibling }, { p: 1 })
    }
  })

  it("has what older dialects had", () => {
    for (const dialect of lenient) {
      refuses({ ...dialect, minimum: 3, exclusiveMinimum: true }, 3)
      refuses({ ...dialect, items: [{ type: "string" }], additionalItems: false }, ["a", 1])
      refuses({ ...dialect, dependencies: { a: ["b"] } }, { a: 1 })
      refuses(
        { ...dialect, $recursiveAnchor: true, type: "object", properties: { next: { $recursiveRef: "#" } } },
        { next: 1 }
      )
      refuses(
        { ...dialect, definitions: { a: { type: "null" } }, properties: { p: { $ref: "#/definitions/a" } } },
        { p: 1 }
      )
    }
  })

  it("J12: has unknown keywords, with any value", () => {
    const odd = { "x-order": 1, xml: { name: "a" }, discriminator: null, "": [], toString: 5, optional: "yes" }
    accepts(odd, 1, {}, null)
    isReadable({ type: "object", properties: { a: odd } })
  })

  it("J12: says what $schema must be", () => {
    for (const bad of [7, null, {}, true])
      assert.strictEqual(rejection({ $schema: bad }), "#/$schema: must be a string")
  })
})

describe("a boolean", () => {
  it("is a schema", () => {
    accepts(true, null, 1, {})
    refuses(false, null, 1, {})
  })

  it("J12: is no schema in draft-04, but for what is additional", () => {
    const reason = "must be an object: draft-04 has no boolean schemas"
    assert.strictEqual(rejection({ $schema: draft04, properties: { a: true } }), `#/properties/a: ${reason}`)
    refuses({ $schema: draft04, additionalProperties: false }, { a: 1 })
  })

  it("J12: an empty enum or required is none of draft-04's", () => {
    assert.strictEqual(rejection({ $schema: draft04, enum: [] }), "#/enum: must not be empty")
    assert.strictEqual(rejection({ $schema: draft04, required: [] }), "#/required: must not be empty")
    refuses({ enum: [] }, null)
    accepts({ required: [] }, {})
  })
})
