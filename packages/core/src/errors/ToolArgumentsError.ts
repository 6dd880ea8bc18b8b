import * as Data from "effect/Data"

/** Arguments that passed the agent's validator do not decode by their tool's own Schema. The tool did not run. */
export class ToolArgumentsError extends Data.TaggedError("ToolArgumentsError")<{
  readonly tool: string
  readonly problem: string
}> {
  readonly code = "ERR_PRISM_TOOL_ARGUMENTS_INVALID"

  override get message(): string {
    return `Tool ${this.tool} got invalid arguments: ${this.problem}`
  }
}
