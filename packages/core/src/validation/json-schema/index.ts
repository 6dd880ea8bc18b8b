/** The names of the subpath `@arnilo/prism-core/validation/json-schema`. */
export { SchemaRejectedError } from "../../errors/SchemaRejectedError.ts"
export {
  type ArgumentCoercion,
  createJsonSchemaArgumentCoercion,
  type JsonSchemaArgumentCoercionOptions
} from "./ArgumentCoercion.ts"
export type { Coerced, Coercion } from "./coerceNode.ts"
export type { CompiledSchema } from "./CompiledSchema.ts"
export {
  createJsonSchemaArgumentValidator,
  createJsonSchemaToolArgumentValidator,
  JsonSchemaValidator,
  type JsonSchemaToolValidatorOptions,
  type JsonSchemaValidatorOptions
} from "./JsonSchemaValidator.ts"
export type { Place, Problem } from "./Report.ts"
