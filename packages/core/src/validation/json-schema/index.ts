/** The names of the subpath `@arnilo/prism-core/validation/json-schema`. */
export { SchemaRejectedError } from "../../errors/SchemaRejectedError.ts"
export {
  createJsonSchemaArgumentValidator,
  createJsonSchemaToolArgumentValidator,
  JsonSchemaValidator,
  type JsonSchemaToolValidatorOptions,
  type JsonSchemaValidatorOptions
} from "./JsonSchemaValidator.ts"
export type { CompiledSchema } from "./CompiledSchema.ts"
