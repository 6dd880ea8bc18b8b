import { ToolBlockedError } from "../../errors/ToolBlockedError.ts"
import { type Steps, waitFor } from "../../ports/Steps.ts"
import type { ToolDefinition } from "../../ports/ToolDefinition.ts"
import type { ErrorInfo } from "../../schema/ErrorInfo.ts"
import { errorToErrorInfo } from "../../security/Redactor.ts"
import type { Dispatch } from "../DispatchScope.ts"
import { hostErrorInfo } from "../hostErrorInfo.ts"
import { callContext } from "./toolContext.ts"

/** The host's validator, if there is one. One that throws, or answers with anything but nothing, blocks the call. */
export function* validateArguments(dispatch: Dispatch, tool: ToolDefinition): Steps<void> {
  const { call, scope } = dispatch
  if (scope.validate === undefined) return
  let error: ErrorInfo | undefined
  try {
    error = refusalOf(yield* waitFor(scope.validate(tool, call.arguments, callContext(dispatch))))
  } catch (thrown) {
    error = errorToErrorInfo(thrown)
  }
  if (error !== undefined) throw new ToolBlockedError({ reason: "validation_failed", error })
}

/** What is neither nothing, text nor an error is no permission to run. */
const refusalOf = (answer: unknown): ErrorInfo | undefined => {
  if (answer === undefined) return undefined
  if (typeof answer === "string") return { message: answer }
  if (typeof answer === "object" && answer !== null && "message" in answer) return hostErrorInfo(answer)
  return { message: "Tool validator gave no valid answer" }
}
