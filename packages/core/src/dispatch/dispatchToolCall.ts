/** One tool call, from request to result. */
import type { Steps } from "../ports/Steps.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import type { Dispatch, DispatchScope } from "./DispatchScope.ts"
import { applyCallMiddleware } from "./stages/applyCallMiddleware.ts"
import { applyResultMiddleware } from "./stages/applyResultMiddleware.ts"
import { authorize } from "./stages/authorize.ts"
import { executeTool } from "./stages/executeTool.ts"
import { selectTool } from "./stages/selectTool.ts"
import { settle, settleFailure } from "./stages/settle.ts"
import { validateArguments } from "./stages/validateArguments.ts"

/** The body is the order of the stages, which is frozen; each stage is the file of its name. Never fails but with its ledger. */
export function* dispatchToolCall(scope: DispatchScope, requested: ToolCallContent): Steps<ToolResult> {
  const dispatch: Dispatch = { scope, startedAt: scope.now(), call: requested, running: false, telling: undefined }
  try {
    dispatch.call = yield* applyCallMiddleware(dispatch)
    const tool = selectTool(dispatch)
    yield* authorize(dispatch)
    yield* validateArguments(dispatch, tool)
    const result = yield* executeTool(dispatch, tool)
    return yield* settle(dispatch, yield* applyResultMiddleware(dispatch, result))
  } catch (failure) {
    return yield* settleFailure(dispatch, failure)
  }
}
