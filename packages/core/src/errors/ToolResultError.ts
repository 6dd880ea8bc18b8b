import * as Data from "effect/Data"

/** A tool ran and answered with something that is no result. What it did is done; the model is told that it is not known. */
export class ToolResultError extends Data.TaggedError("ToolResultError")<{
  readonly tool: string
  readonly problem: string
}> {
  readonly code = "ERR_PRISM_TOOL_RESULT_INVALID"

  override get message(): string {
    return `Tool ${this.tool} returned no valid result: ${this.problem}`
  }
}
