import * as Data from "effect/Data"

/** A run used up one of its `limits`. `max` is in the unit of that limit. */
export class RunLimitError extends Data.TaggedError("RunLimitError")<{
  readonly limit: "maxTurns" | "maxToolCalls" | "maxWallMs"
  readonly max: number
}> {
  readonly code = "ERR_PRISM_RUN_LIMIT"

  override get message(): string {
    return `Run limit reached: ${this.limit} ${this.max}`
  }
}
