import * as Data from "effect/Data"

/** Structured output was asked for in a way that cannot be sent. Nothing was sent. */
export class StructuredOutputError extends Data.TaggedError("StructuredOutputError")<{
  readonly code: "unsupported_model" | "invalid_name" | "invalid_schema" | "schema_too_large"
  readonly message: string
}> {}
