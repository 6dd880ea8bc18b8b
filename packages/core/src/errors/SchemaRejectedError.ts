import * as Data from "effect/Data"

/** A pointer that is longer is told without its middle. */
const MAX_POINTER = 240

export const shortenedPointer = (pointer: string): string => {
  if (pointer.length <= MAX_POINTER) return pointer
  const end = pointer.indexOf("/", pointer.length - MAX_POINTER / 2)
  const start = pointer.lastIndexOf("/", MAX_POINTER / 2)
  return `${pointer.slice(0, Math.max(start, 0))}/…${end === -1 ? "" : pointer.slice(end)}`
}

/** A JSON Schema was refused before it was compiled. `pointer` is the JSON Pointer of the place in the schema. */
export class SchemaRejectedError extends Data.TaggedError("SchemaRejectedError")<{
  readonly pointer: string
  readonly reason: string
}> {
  readonly code = "ERR_PRISM_SCHEMA_REJECTED"

  override get message(): string {
    return `schema rejected at #${shortenedPointer(this.pointer)}: ${this.reason}`
  }
}
