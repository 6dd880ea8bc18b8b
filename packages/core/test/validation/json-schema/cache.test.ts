import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { SchemaLimits, type SchemaLimitValues } from "../../../src/limits/SchemaLimits.ts"
import type { JsonObject } from "../../../src/schema/Json.ts"
import { CompileCache } from "../../../src/validation/json-schema/CompileCache.ts"
import type { CompiledSchema } from "../../../src/validation/json-schema/CompiledSchema.ts"
import { createJsonSchemaArgumentValidator } from "../../../src/validation/json-schema/JsonSchemaValidator.ts"
import { untyped } from "./verdicts.ts"

const cacheOf = (options: Partial<SchemaLimitValues> = {}): CompileCache => {
  const limits = SchemaLimits.resolve(options)
  if (Result.isFailure(limits)) throw limits.failure
  return new CompileCache(limits.success)
}

const get = (cache: CompileCache, schema: unknown): CompiledSchema => {
  const compiled = cache.get(schema)
  if (Result.isFailure(compiled)) throw compiled.failure
  return compiled.success
}

const ofType = (type: string): JsonObject => ({ type })

/** A schema object that counts how often it is looked at. */
const watched = (schema: object) => {
  const looks = { count: 0 }
  const proxy = new Proxy(schema, { ownKeys: (target) => (looks.count++, Reflect.ownKeys(target)) })
  return { looks, schema: untyped<JsonObject>(proxy) }
}

describe("the cache of compiled schemas", () => {
  it("J14: the same object hits the same entry, and is not looked at again", () => {
    const cache = cacheOf()
    const { looks, schema } = watched({ type: "integer" })
    const first = get(cache, schema)
    assert.strictEqual(get(cache, schema), first)
    assert.strictEqual(cache.size, 1)
    assert.strictEqual(looks.count, 1)
  })

  it("J14: an equal object of the same text hits the same entry; another order of keys is another entry", () => {
    const cache = cacheOf()
    const first = get(cache, { type: "integer", minimum: 1 })
    assert.strictEqual(get(cache, { type: "integer", minimum: 1 }), first)
    assert.strictEqual(cache.size, 1)
    assert.notStrictEqual(get(cache, { minimum: 1, type: "integer" }), first)
    assert.strictEqual(cache.size, 2)
    assert.notStrictEqual(get(cache, { type: "integer", minimum: 2 }), first)
    assert.strictEqual(get(cache, true), get(cache, true))
    assert.notStrictEqual(get(cache, true), get(cache, {}))
  })

  it("J14: an object that hit by text is known afterwards, whatever becomes of it", () => {
    const cache = cacheOf()
    const first = get(cache, ofType("integer"))
    const other: Record<string, unknown> = { type: "integer" }
    assert.strictEqual(get(cache, other), first)
    other.type = "string"
    assert.strictEqual(get(cache, other), first)
    assert.isFalse(get(cache, other).accepts("text"))
    assert.isTrue(get(cache, { type: "string" }).accepts("text"))
  })

  it("J15: never keeps more than it may", () => {
    const cache = cacheOf({ maxCompiledSchemas: 3 })
    for (let index = 0; index < 10; index++) get(cache, { minimum: index })
    assert.strictEqual(cache.size, 3)
    const many = cacheOf()
    for (let index = 0; index < 300; index++) get(many, { minimum: index })
    assert.strictEqual(many.size, 256)
  })

  it("J15: drops what was not used for longest; a hit by object or by text counts as use", () => {
    const cache = cacheOf({ maxCompiledSchemas: 2 })
    const [one, two, three] = [ofType("integer"), ofType("string"), ofType("null")]
    const first = get(cache, one)
    const second = get(cache, two)
    assert.strictEqual(get(cache, one), first)
    get(cache, three)
    assert.strictEqual(get(cache, one), first)
    assert.notStrictEqual(get(cache, two), second)
    const byText = cacheOf({ maxCompiledSchemas: 2 })
    const kept = get(byText, one)
    const dropped = get(byText, two)
    get(byText, ofType("integer"))
    get(byText, three)
    assert.strictEqual(get(byText, ofType("integer")), kept)
    assert.notStrictEqual(get(byText, ofType("string")), dropped)
  })

  it("J15: what was dropped is compiled anew, and works", () => {
    const { validate } = createJsonSchemaArgumentValidator({ maxCompiledSchemas: 1 })
    const [one, two] = [ofType("integer"), ofType("string")]
    for (let turn = 0; turn < 3; turn++) {
      assert.isTrue(validate(one, 1).ok)
      assert.isTrue(validate(two, "a").ok)
      assert.isFalse(validate(one, "a").ok)
      assert.isFalse(validate(two, 1).ok)
    }
  })

  it("J15: two schemas of the same $id both work, in a cache of one and of many", () => {
    for (const maxCompiledSchemas of [1, 256]) {
      const { validate } = createJsonSchemaArgumentValidator({ maxCompiledSchemas })
      const named = (type: string): JsonObject => ({
        $id: "https://example.org/same",
        $ref: "#/$defs/x",
        $defs: { x: { $anchor: "x", type } }
      })
      const [one, two] = [named("integer"), named("string")]
      for (let turn = 0; turn < 3; turn++) {
        assert.isTrue(validate(one, 1).ok)
        assert.isFalse(validate(one, "a").ok)
        assert.isTrue(validate(two, "a").ok)
        assert.isFalse(validate(two, 1).ok)
      }
    }
  })

  it("J15: neither the schema nor what was compiled is kept alive once it is dropped", async () => {
    const cache = cacheOf({ maxCompiledSchemas: 1 })
    const held: Array<JsonObject> = []
    const compiledOf = (index: number): WeakRef<CompiledSchema> => {
      const schema = { minimum: index, description: "x".repeat(1000) }
      held.push(schema)
      return new WeakRef(get(cache, schema))
    }
    const dropped = Array.from({ length: 50 }, (_, index) => compiledOf(index))
    const collect = await collector()
    for (let turn = 0; turn < 20 && dropped.slice(0, -1).some((ref) => ref.deref() !== undefined); turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      collect()
    }
    assert.lengthOf(held, 50)
    assert.deepStrictEqual(
      dropped.slice(0, -1).filter((ref) => ref.deref() !== undefined),
      []
    )
    assert.isDefined(dropped.at(-1)?.deref())
  })

  it("J12: a refusal is not kept, and makes no room", () => {
    const cache = cacheOf({ maxCompiledSchemas: 1 })
    const good = get(cache, ofType("integer"))
    const fixed: Record<string, unknown> = { type: "int" }
    for (let turn = 0; turn < 3; turn++) assert.isTrue(Result.isFailure(cache.get(fixed)))
    assert.strictEqual(cache.size, 1)
    assert.strictEqual(get(cache, ofType("integer")), good)
    fixed.type = "integer"
    assert.strictEqual(get(cache, fixed), good)
  })

  it("J16: two validators share nothing", () => {
    const { looks, schema } = watched({ type: "integer" })
    const one = createJsonSchemaArgumentValidator()
    const two = createJsonSchemaArgumentValidator()
    assert.isTrue(one.validate(schema, 1).ok)
    assert.isTrue(two.validate(schema, 1).ok)
    assert.strictEqual(looks.count, 2)
    assert.notStrictEqual(get(cacheOf(), true), get(cacheOf(), true))
  })

  it("J5: a change has no effect either once the entry was dropped", () => {
    const cache = cacheOf({ maxCompiledSchemas: 1 })
    const schema: Record<string, string> = { type: "integer" }
    get(cache, schema)
    get(cache, ofType("null"))
    schema["type"] = "string"
    assert.isTrue(get(cache, schema).accepts(1))
  })
})

/** The garbage collector, by its name in the platform. */
const collector = async (): Promise<() => void> => {
  const { setFlagsFromString } = await import("node:v8")
  const { runInNewContext } = await import("node:vm")
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc") as () => void
}
