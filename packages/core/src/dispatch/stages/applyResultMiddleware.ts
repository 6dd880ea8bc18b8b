import { runMiddleware } from "../../middleware/Middleware.ts"
import type { Steps } from "../../ports/Steps.ts"
import type { ToolResult } from "../../schema/ToolResult.ts"
import type { Dispatch } from "../DispatchScope.ts"

/** Result → result, as the `tool_result` hooks leave it. It stays the result of its call. */
export function* applyResultMiddleware({ call, scope }: Dispatch, result: ToolResult): Steps<ToolResult> {
  const changed = yield* runMiddleware(scope.middleware, "tool_result", result)
  if (changed === result) return result
  if (typeof changed !== "object" || changed === null) {
    throw new TypeError("tool_result middleware must return a tool result")
  }
  return { ...changed, toolCallId: call.id, name: call.name }
}
