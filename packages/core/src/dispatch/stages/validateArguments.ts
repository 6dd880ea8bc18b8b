import { ToolBlockedError } from "../../errors/ToolBlockedError.ts"
import { type Steps, waitFor } from "../../ports/Steps.ts"
import type { ToolDefinition } from "../../ports/ToolDefinition.ts"
import type { ErrorInfo } from "../../schema/ErrorInfo.ts"
import { errorToErrorInfo } from "../../security/Redactor.ts"
import type { Dispatch } from "../DispatchScope.ts"
import { toolContext } from "./toolContext.ts"

/** The host's validator, if there is one. One that throws, or answers with anything but nothing, blocks the call. */
export function* validateArguments(dispatch: Dispatch, tool: ToolDefinition): Steps<void> {
  const { call, scope } = dispatch
  if (scope.validate === undefined) return
  let refusal: void | undefined | string | ErrorInfo
  try {
    refusal = yield* waitFor(scope.validate(tool, call.arguments, toolContext(dispatch, scope.signal)))
  } catch (error) {
    refusal = errorToErrorInfo(error)
  }
  if (refusal === undefined) return
  const error = typeof refusal === "string" ? { message: refusal } : errorToErrorInfo(refusal)
  throw new ToolBlockedError({ reason: "validation_failed", error })
}
