import { runMiddleware } from "../../middleware/Middleware.ts"
import type { Steps } from "../../ports/Steps.ts"
import type { ToolCallContent } from "../../schema/Content.ts"
import type { Dispatch } from "../DispatchScope.ts"
import { HostFailure } from "../HostFailure.ts"

/** Call → call, as the `tool_call` hooks leave it. Comes before every gate: a renamed call gains nothing by its old name. */
export function* applyCallMiddleware({ call, scope }: Dispatch): Steps<ToolCallContent> {
  if (scope.middleware === undefined) return call
  let changed: ToolCallContent
  try {
    changed = yield* runMiddleware(scope.middleware, "tool_call", call)
  } catch (error) {
    throw new HostFailure(error)
  }
  if (typeof changed?.id !== "string" || typeof changed.name !== "string") {
    throw new TypeError("tool_call middleware must return a tool call with id and name")
  }
  return changed
}
