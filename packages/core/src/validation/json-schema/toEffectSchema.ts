/** A JSON Schema as an Effect Schema: loads `effect/Schema`, so that only who asks for it pays. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import type { CompiledSchema } from "./CompiledSchema.ts"
import { type JsonSchemaValidatorOptions, makeValidator, resolveLimits } from "./JsonSchemaValidator.ts"
import { type Problem, pathOf } from "./Report.ts"

/**
 * Decodes and encodes what the compiled schema accepts, unchanged. Issues carry the path of each problem. `A` is the
 * caller's word for the type: the schema is not known to the compiler.
 */
export const toEffectSchema = <A = unknown>(compiled: Pick<CompiledSchema, "problems">): Schema.Codec<A> =>
  Schema.declareConstructor<A>()([], () => (value, ast, options) => {
    const problems = compiled.problems(value)
    // Accepted: the caller says what that means for the type.
    return problems === undefined ? Effect.succeed(value as A) : Effect.fail(toIssue(problems, value, ast, options))
  })

/**
 * The same from the JSON Schema itself. Throws `SchemaRejectedError` where the schema is malformed, too large or
 * hostile, and `RangeError` for an option out of range.
 */
export const fromJsonSchema = <A = unknown>(
  schema: Readonly<Record<string, unknown>> | boolean,
  options: JsonSchemaValidatorOptions = {}
): Schema.Codec<A> => {
  const compiled = makeValidator(resolveLimits(options)).compile(schema)
  if (Result.isFailure(compiled)) throw compiled.failure
  return toEffectSchema(compiled.success)
}

const toIssue = (
  problems: ReadonlyArray<Problem>,
  value: unknown,
  ast: SchemaAST.AST,
  options: SchemaAST.ParseOptions
): SchemaIssue.Issue => {
  const [first, ...others] = problems.map(({ at, message }): SchemaIssue.Issue => {
    const path = pathOf(at)
    const leaf = new SchemaIssue.InvalidValue({ message }, value, options)
    return path.length === 0 ? leaf : new SchemaIssue.Pointer(path, leaf)
  })
  if (first === undefined) return new SchemaIssue.InvalidValue(undefined, value, options)
  return others.length === 0 ? first : new SchemaIssue.Composite(ast, [first, ...others], value, options)
}
