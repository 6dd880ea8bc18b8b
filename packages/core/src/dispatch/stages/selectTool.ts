import { ToolBlockedError } from "../../errors/ToolBlockedError.ts"
import type { ToolBlockedReason } from "../../events/ToolEvents.ts"
import type { ToolDefinition } from "../../ports/ToolDefinition.ts"
import type { ErrorInfo } from "../../schema/ErrorInfo.ts"
import { isJsonObject } from "../../security/json.ts"
import { isToolAllowed } from "../../tool/ToolRegistry.ts"
import type { Dispatch } from "../DispatchScope.ts"
import { hostErrorInfo } from "../hostErrorInfo.ts"

/** Lookup, then filter, then: the arguments are readable and a JSON object. Asks nobody and runs nothing. */
export const selectTool = ({ call, scope }: Dispatch): ToolDefinition => {
  const tool = scope.registry.get(call.name)
  if (tool === undefined) throw blocked("unknown_tool", { message: `Unknown tool: ${call.name}` })
  if (!isToolAllowed(call.name, scope.filter)) throw blocked("tool_denied", { message: `Tool denied: ${call.name}` })
  if (call.argumentsError !== undefined) throw blocked("invalid_arguments", hostErrorInfo(call.argumentsError))
  if (!isJsonObject(call.arguments)) {
    throw blocked("invalid_arguments", { message: "Tool arguments must be a JSON object" })
  }
  return tool
}

const blocked = (reason: ToolBlockedReason, error: ErrorInfo): ToolBlockedError =>
  new ToolBlockedError({ reason, error })
