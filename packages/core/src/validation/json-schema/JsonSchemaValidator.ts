/** Values against JSON Schemas that nobody vouches for: bounded, cached, without side effects. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { LimitError } from "../../errors/LimitError.ts"
import { type SchemaRejectedError, shortenedPointer } from "../../errors/SchemaRejectedError.ts"
import { SchemaLimits, type SchemaLimitValues } from "../../limits/SchemaLimits.ts"
import type {
  ToolArgumentValidationError,
  ToolArgumentValidationResult,
  ToolArgumentValidator,
  ToolValidator
} from "../../ports/ToolDefinition.ts"
import { createToolParameterValidator, type ToolParameterValidatorOptions } from "../ToolParameterValidator.ts"
import { CompileCache } from "./CompileCache.ts"
import type { CompiledSchema } from "./CompiledSchema.ts"
import { type Problem, pointerOf, root } from "./Report.ts"

/** Bounds of schemas and values; every one a positive safe integer, none above its hard cap. */
export type JsonSchemaValidatorOptions = { readonly [Name in keyof SchemaLimitValues]?: number | undefined }

export type JsonSchemaToolValidatorOptions = JsonSchemaValidatorOptions & ToolParameterValidatorOptions

const accepted: ToolArgumentValidationResult = Object.freeze({ ok: true })

/**
 * Checks values against JSON Schemas (draft-04 to 2020-12 by `$schema`, else 2020-12), of which a bounded number stays
 * compiled. A schema is looked at once: do not change it after it was handed over.
 *
 * `validate` never throws and never changes the value. Errors come in order of evaluation, at most `maxErrors`, with the
 * JSON Pointer of the instance location. A schema that is malformed, too large or hostile gives `ok: false` with the
 * code `schema_rejected` and the pointer in the schema.
 */
export class JsonSchemaValidator extends Context.Service<
  JsonSchemaValidator,
  ToolArgumentValidator & {
    /** The compiled schema, for who checks many values or wants the reason of a refusal. */
    readonly compile: (schema: unknown) => Result.Result<CompiledSchema, SchemaRejectedError>
  }
>()("@arnilo/prism-core/validation/JsonSchemaValidator") {
  /** Fails with the bound that is out of range. Two layers share no cache. */
  static readonly layer = (options: JsonSchemaValidatorOptions = {}): Layer.Layer<JsonSchemaValidator, LimitError> =>
    Layer.effect(JsonSchemaValidator, Effect.fromResult(Result.map(SchemaLimits.resolve(options), makeValidator)))
}

/** A validator with a cache of its own. */
export const makeValidator = (limits: SchemaLimitValues): Context.Service.Shape<typeof JsonSchemaValidator> => {
  const cache = new CompileCache(limits)
  return {
    compile: (schema) => cache.get(schema),
    validate(schema, value) {
      const compiled = cache.get(schema)
      if (Result.isFailure(compiled)) return rejected(compiled.failure)
      const problems = compiled.success.problems(value)
      return problems === undefined ? accepted : { ok: false, errors: problems.map(toError) }
    }
  }
}

const toError = ({ at, message }: Problem): ToolArgumentValidationError =>
  at === root ? { message } : { path: pointerOf(at), message }

const rejected = ({ pointer, message }: SchemaRejectedError): ToolArgumentValidationResult => ({
  ok: false,
  code: "schema_rejected",
  errors: [pointer === "" ? { message } : { path: shortenedPointer(pointer), message }]
})

/** Throws `RangeError` `<option> must be a positive safe integer no greater than <cap>`. */
export const resolveLimits = (options: JsonSchemaValidatorOptions): SchemaLimitValues => {
  const limits = SchemaLimits.resolve(options)
  if (Result.isSuccess(limits)) return limits.success
  const { limit, max } = limits.failure
  throw new RangeError(
    max === undefined ? `Unknown option: ${limit}` : `${limit} must be a positive safe integer no greater than ${max}`
  )
}

/** A validator of any value against any JSON Schema, with a cache of its own. Throws as `resolveLimits` does. */
export const createJsonSchemaArgumentValidator = (options: JsonSchemaValidatorOptions = {}): ToolArgumentValidator => {
  const validator = makeValidator(resolveLimits(options))
  return { validate: (schema, value) => validator.validate(schema, value) }
}

/** The same in the place of an agent's `validator`: checks the arguments of a call against its tool's `parameters`. */
export const createJsonSchemaToolArgumentValidator = ({
  missingSchema,
  ...options
}: JsonSchemaToolValidatorOptions = {}): ToolValidator =>
  createToolParameterValidator(createJsonSchemaArgumentValidator(options), { missingSchema })
