import * as Data from "effect/Data"

/** A bound was configured out of range, or does not exist. `max` is the largest value allowed; absent for an unknown name. */
export class LimitError extends Data.TaggedError("LimitError")<{
  readonly limit: string
  readonly value: unknown
  readonly max: number | undefined
}> {
  readonly code = "ERR_PRISM_LIMIT"

  override get message(): string {
    return this.max === undefined
      ? `Unknown limit: ${this.limit}`
      : `${this.limit} must be a positive safe integer at most ${this.max}, not ${String(this.value)}`
  }
}
