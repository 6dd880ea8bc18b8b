import { ToolBlockedError } from "../../errors/ToolBlockedError.ts"
import type { ToolDefinition } from "../../ports/ToolDefinition.ts"
import { isJsonObject } from "../../security/json.ts"
import { isToolAllowed } from "../../tool/ToolRegistry.ts"
import type { Dispatch } from "../DispatchScope.ts"

/** Lookup, then filter, then: the arguments are readable and a JSON object. Asks nobody and runs nothing. */
export const selectTool = ({ call, scope }: Dispatch): ToolDefinition => {
  const tool = scope.registry.get(call.name)
  if (tool === undefined) {
    throw new ToolBlockedError({ reason: "unknown_tool", error: { message: `Unknown tool: ${call.name}` } })
  }
  if (!isToolAllowed(call.name, scope.filter)) {
    throw new ToolBlockedError({ reason: "tool_denied", error: { message: `Tool denied: ${call.name}` } })
  }
  if (call.argumentsError !== undefined) {
    throw new ToolBlockedError({ reason: "invalid_arguments", error: call.argumentsError })
  }
  if (!isJsonObject(call.arguments)) {
    throw new ToolBlockedError({
      reason: "invalid_arguments",
      error: { message: "Tool arguments must be a JSON object" }
    })
  }
  return tool
}
