import { hasMiddleware, runMiddleware } from "../../middleware/Middleware.ts"
import type { Steps } from "../../ports/Steps.ts"
import type { ToolResult } from "../../schema/ToolResult.ts"
import type { Dispatch } from "../DispatchScope.ts"
import { HostFailure } from "../HostFailure.ts"
import { readResult } from "../readResult.ts"

/** Result → result, as the `tool_result` hooks leave it. It stays the result of its call, and one that can be stored. */
export function* applyResultMiddleware({ call, scope }: Dispatch, result: ToolResult): Steps<ToolResult> {
  if (!hasMiddleware(scope.middleware, "tool_result")) return result
  try {
    return readResult(call, yield* runMiddleware(scope.middleware, "tool_result", result))
  } catch (error) {
    throw new HostFailure(error)
  }
}
