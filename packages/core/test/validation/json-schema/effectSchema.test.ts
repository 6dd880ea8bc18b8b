import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SchemaRejectedError } from "../../../src/errors/SchemaRejectedError.ts"
import { fromJsonSchema, toEffectSchema } from "../../../src/schema.ts"
import { compile, untyped } from "./verdicts.ts"

interface Place {
  readonly lat: number
  readonly lon: number
}

const place = fromJsonSchema<Place>({
  type: "object",
  properties: { lat: { type: "number", maximum: 90 }, lon: { type: "number" } },
  required: ["lat", "lon"],
  additionalProperties: false
})

/** A host's own schema that has one from elsewhere in it. */
const Trip = Schema.Struct({
  name: Schema.String,
  start: Schema.DateFromString,
  stops: Schema.Array(place)
})

const failureOf = (result: Result.Result<unknown, { readonly message: string }>): string =>
  Result.isFailure(result) ? result.failure.message : "accepted"

describe("fromJsonSchema", () => {
  it("decodes and encodes what the schema accepts, unchanged", () => {
    const value = { lat: 1, lon: 2 }
    const decoded = Schema.decodeUnknownResult(place)(value)
    assert.isTrue(Result.isSuccess(decoded))
    if (Result.isSuccess(decoded)) assert.strictEqual(decoded.success, value)
    const encoded = Schema.encodeUnknownResult(place)(value)
    if (Result.isSuccess(encoded)) assert.strictEqual(encoded.success, value)
    assert.isTrue(Result.isSuccess(encoded))
  })

  it("refuses the same on both ways", () => {
    for (const value of [{ lat: 91, lon: 2 }, { lat: 1 }, { lat: 1, lon: 2, z: 3 }, null, [], "a", undefined]) {
      assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(place)(value)))
      assert.isTrue(Result.isFailure(Schema.encodeUnknownResult(place)(value)))
      assert.isFalse(Schema.is(place)(value))
    }
    assert.isTrue(Schema.is(place)({ lat: 1, lon: 2 }))
  })

  it("issues carry the message and the path of each problem", () => {
    const message = failureOf(Schema.decodeUnknownResult(place)({ lat: 91, lon: "x" }))
    assert.include(message, "must be at most 90, got 91")
    assert.include(message, '["lat"]')
    assert.include(message, 'must be a number, got "x"')
    assert.include(message, '["lon"]')
    const root = failureOf(Schema.decodeUnknownResult(place)(7))
    assert.include(root, "must be an object, got 7")
    assert.notInclude(root, "at [")
  })

  it("composes in a host's own Struct: paths continue, and the other fields are transformed", () => {
    const decoded = Schema.decodeUnknownResult(Trip)({
      name: "a",
      start: "2024-01-02T00:00:00.000Z",
      stops: [{ lat: 1, lon: 2 }]
    })
    assert.isTrue(Result.isSuccess(decoded))
    if (!Result.isSuccess(decoded)) return
    assert.instanceOf(decoded.success.start, Date)
    assert.deepStrictEqual(decoded.success.stops, [{ lat: 1, lon: 2 }])
    const encoded = Schema.encodeUnknownResult(Trip)(decoded.success)
    assert.isTrue(Result.isSuccess(encoded))
    if (Result.isSuccess(encoded)) assert.strictEqual(encoded.success.start, "2024-01-02T00:00:00.000Z")
    const message = failureOf(
      Schema.decodeUnknownResult(Trip)({
        name: "a",
        start: "2024-01-02T00:00:00.000Z",
        stops: [
          { lat: 1, lon: 2 },
          { lat: 1, lon: "x" }
        ]
      })
    )
    assert.include(message, 'must be a number, got "x"')
    assert.include(message, '["stops"][1]["lon"]')
  })

  it("keeps the bounds of its options", () => {
    const short = fromJsonSchema({ type: "string" }, { maxStringLength: 2 })
    assert.isTrue(Schema.is(short)("ab"))
    assert.include(failureOf(Schema.decodeUnknownResult(short)("abc")), "/: string exceeds maximum length 2")
    const many = fromJsonSchema({ required: ["a", "b", "c"] }, { maxErrors: 2 })
    const message = failureOf(Schema.decodeUnknownResult(many)({}))
    assert.include(message, '"b"')
    assert.notInclude(message, '"c"')
  })

  it("J10: keys that reach prototypes are refused", () => {
    const open = fromJsonSchema({ type: "object" })
    assert.include(
      failureOf(Schema.decodeUnknownResult(open)(JSON.parse('{"a":{"__proto__":1}}'))),
      "a.__proto__: forbidden property key"
    )
  })

  it("throws for a schema that is refused, and for an option out of range", () => {
    assert.throws(() => fromJsonSchema({ type: "int" }), SchemaRejectedError, "schema rejected at #/type")
    assert.throws(() => fromJsonSchema({ $ref: "other.json" }), SchemaRejectedError, "remote $ref is not allowed")
    assert.throws(() => fromJsonSchema(untyped(undefined)), SchemaRejectedError)
    assert.throws(
      () => fromJsonSchema(true, { maxErrors: 65 }),
      RangeError,
      "maxErrors must be a positive safe integer no greater than 64"
    )
  })

  it("takes booleans", () => {
    assert.isTrue(Schema.is(fromJsonSchema(true))({}))
    assert.isFalse(Schema.is(fromJsonSchema(false))({}))
  })

  it("does not follow changes of the schema", () => {
    const schema = { type: "integer" }
    const codec = fromJsonSchema(schema)
    schema.type = "string"
    assert.isTrue(Schema.is(codec)(1))
    assert.isFalse(Schema.is(codec)("a"))
  })

  it.effect("fails as an Effect, with a schema error", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Schema.decodeUnknownEffect(place)({ lat: 1 }))
      assert.strictEqual(error._tag, "SchemaError")
      assert.include(error.message, 'must have the property "lon"')
    })
  )
})

describe("toEffectSchema", () => {
  it("is the same of a schema that is compiled", () => {
    const codec = toEffectSchema<number>(compile({ type: "integer", minimum: 1 }))
    assert.isTrue(Schema.is(codec)(1))
    assert.isFalse(Schema.is(codec)(0))
    const positive = codec.check(Schema.makeFilter((value) => value % 2 === 0 || "must be even"))
    assert.isTrue(Schema.is(positive)(2))
    assert.isFalse(Schema.is(positive)(3))
  })
})
