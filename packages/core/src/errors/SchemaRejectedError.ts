import * as Data from "effect/Data"

/** A JSON Schema was refused before it was compiled. `pointer` is the JSON Pointer of the place in the schema. */
export class SchemaRejectedError extends Data.TaggedError("SchemaRejectedError")<{
  readonly pointer: string
  readonly reason: string
}> {
  readonly code = "ERR_PRISM_SCHEMA_REJECTED"

  override get message(): string {
    return `schema rejected at #${this.pointer}: ${this.reason}`
  }
}
