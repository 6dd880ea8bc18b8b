import * as Data from "effect/Data"

/** A call ran longer than its deadline of `timeoutMs` milliseconds. */
export class ToolTimeoutError extends Data.TaggedError("ToolTimeoutError")<{
  readonly tool: string
  readonly timeoutMs: number
}> {
  readonly code = "ERR_PRISM_TOOL_TIMEOUT"

  override get message(): string {
    return `Tool ${this.tool} timed out after ${this.timeoutMs} ms`
  }
}
