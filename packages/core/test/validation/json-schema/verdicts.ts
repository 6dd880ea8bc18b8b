/** What every way to judge a value says of it: two tiers, the way between them, and the Effect Schema. */
import { assert } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { JsonObject } from "../../../src/schema/Json.ts"
import { fromJsonSchema } from "../../../src/validation/json-schema/toEffectSchema.ts"
import type { CompiledSchema } from "../../../src/validation/json-schema/CompiledSchema.ts"
import {
  createJsonSchemaArgumentValidator,
  type JsonSchemaValidatorOptions,
  makeValidator,
  resolveLimits
} from "../../../src/validation/json-schema/JsonSchemaValidator.ts"
import { pointerOf } from "../../../src/validation/json-schema/Report.ts"

/** A value that TypeScript knows to be no schema, in the place of one. */
export const untyped = <A>(value: unknown): A => value as A

/** Drafts by name, as `$schema` spells them. */
export const draft04 = "http://json-schema.org/draft-04/schema#"
export const draft06 = "http://json-schema.org/draft-06/schema#"
export const draft07 = "http://json-schema.org/draft-07/schema#"
export const draft201909 = "https://json-schema.org/draft/2019-09/schema"
export const draft202012 = "https://json-schema.org/draft/2020-12/schema"

export const compile = (schema: unknown, options: JsonSchemaValidatorOptions = {}): CompiledSchema => {
  const compiled = makeValidator(resolveLimits(options)).compile(schema)
  if (Result.isFailure(compiled)) throw compiled.failure
  return compiled.success
}

/** The same in the second tier. */
export const generated = (schema: unknown, options: JsonSchemaValidatorOptions = {}): CompiledSchema => {
  const compiled = compile(schema, options)
  assert.isTrue(compiled.generate(), "no code was generated")
  return compiled
}

/** Enough calls to leave the first tier behind. */
const HOT = 70

/** `pointer: message` of each problem; nothing where the value is accepted. */
type Tier = (value: unknown) => ReadonlyArray<string>

const told = (compiled: CompiledSchema, value: unknown): ReadonlyArray<string> =>
  (compiled.problems(value) ?? []).map(({ at, message }) => lineOf(pointerOf(at), message))
const lineOf = (path: string | undefined, message: string): string => (path ? `${path}: ${message}` : message)

const exitOf = (holds: boolean): ReadonlyArray<string> => (holds ? [] : ["refused"])

/** Each way to judge values against a schema, by name; the first three explain. */
export const tiersOf = (schema: unknown, options: JsonSchemaValidatorOptions = {}): Readonly<Record<string, Tier>> => {
  const second = generated(schema, options)
  const hot = createJsonSchemaArgumentValidator(options)
  for (let call = 0; call < HOT; call++) hot.validate(untyped<JsonObject>(schema), null)
  const codec = fromJsonSchema(untyped<JsonObject | boolean>(schema), options)
  const decode = Schema.decodeUnknownResult(codec)
  const encode = Schema.encodeUnknownResult(codec)
  return {
    first: (value) => told(compile(schema, options), value),
    second: (value) => told(second, value),
    hot: (value) =>
      (hot.validate(untyped<JsonObject>(schema), value).errors ?? []).map(({ path, message }) => lineOf(path, message)),
    decoded: (value) => exitOf(Result.isSuccess(decode(value))),
    encoded: (value) => exitOf(Result.isSuccess(encode(value))),
    accepts: (value) => exitOf(compile(schema, options).accepts(value)),
    acceptsGenerated: (value) => exitOf(second.accepts(value))
  }
}

const show = (value: unknown): string => {
  try {
    const text = JSON.stringify(value) ?? String(value)
    return text.length > 200 ? `${text.slice(0, 200)}…` : text
  } catch {
    return String(value)
  }
}

const expectAll = (
  schema: unknown,
  values: ReadonlyArray<unknown>,
  isAccepted: boolean,
  options: JsonSchemaValidatorOptions
): void => {
  assert.isAbove(values.length, 0)
  const tiers = tiersOf(schema, options)
  const wrong = values.flatMap((value) =>
    Object.entries(tiers).flatMap(([name, tier]) => {
      const problems = tier(value)
      return (problems.length === 0) === isAccepted ? [] : `${name}: ${show(value)} ${problems.join("; ")}`
    })
  )
  assert.deepStrictEqual(wrong, [], `${show(schema)} ${isAccepted ? "refuses" : "accepts"}`)
}

/** Every tier accepts each of the values, and explains nothing. */
export const accepts = (schema: unknown, ...values: ReadonlyArray<unknown>): void => expectAll(schema, values, true, {})

/** Every tier refuses each of the values, and says why. */
export const refuses = (schema: unknown, ...values: ReadonlyArray<unknown>): void =>
  expectAll(schema, values, false, {})

export const acceptsWithin = (
  options: JsonSchemaValidatorOptions,
  schema: unknown,
  ...values: ReadonlyArray<unknown>
): void => expectAll(schema, values, true, options)

/** Every tier that explains says exactly this of a value that it refuses. */
export const explains = (
  schema: unknown,
  value: unknown,
  expected: ReadonlyArray<string>,
  options: JsonSchemaValidatorOptions = {}
): void => {
  const tiers = tiersOf(schema, options)
  for (const name of ["first", "second", "hot"]) assert.deepStrictEqual(tiers[name]?.(value), expected, name)
  for (const name of ["decoded", "encoded", "accepts", "acceptsGenerated"]) {
    assert.deepStrictEqual(tiers[name]?.(value), ["refused"], name)
  }
}

/** `pointer: reason` of a schema that is refused; the text `accepted` for one that is not. */
export const rejection = (schema: unknown, options: JsonSchemaValidatorOptions = {}): string => {
  const compiled = makeValidator(resolveLimits(options)).compile(schema)
  return Result.isFailure(compiled) ? `#${compiled.failure.pointer}: ${compiled.failure.reason}` : "accepted"
}

export const isReadable = (schema: unknown, options: JsonSchemaValidatorOptions = {}): void =>
  assert.strictEqual(rejection(schema, options), "accepted", show(schema))
