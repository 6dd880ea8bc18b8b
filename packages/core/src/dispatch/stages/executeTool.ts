import { ToolResultError } from "../../errors/ToolResultError.ts"
import { isPending, type Steps, waitFor } from "../../ports/Steps.ts"
import type { ToolDefinition } from "../../ports/ToolDefinition.ts"
import type { ToolResult } from "../../schema/ToolResult.ts"
import { errorToErrorInfo } from "../../security/Redactor.ts"
import type { Dispatch } from "../DispatchScope.ts"
import { openDeadline } from "./deadline.ts"
import { recordToolCall } from "./recordToolCall.ts"
import { toolContext } from "./toolContext.ts"

/** Tells that the call starts, then runs the tool, within its deadline if it has one. Every gate has been passed. */
export function* executeTool(dispatch: Dispatch, tool: ToolDefinition): Steps<ToolResult> {
  const { call, scope } = dispatch
  yield* waitFor(scope.emit({ type: "tool_execution_started", sessionId: scope.sessionId, runId: scope.runId, call }))
  yield* waitFor(recordToolCall(dispatch, { status: "started" }))
  const timeoutMs = shortest(tool.timeoutMs, scope.toolTimeoutMs)
  if (timeoutMs === undefined) {
    return checkedResult(dispatch, yield* waitFor(tool.execute(call.arguments, toolContext(dispatch, scope.signal))))
  }
  const deadline = openDeadline(scope, tool.name, timeoutMs)
  try {
    const answer = tool.execute(call.arguments, toolContext(dispatch, deadline.signal))
    return checkedResult(dispatch, isPending(answer) ? yield* waitFor(deadline.within(answer)) : answer)
  } finally {
    deadline.close()
  }
}

const shortest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b)

/** A tool's answer is untrusted: it must be a result object, and it is the result of this call whatever it says. */
const checkedResult = ({ call }: Dispatch, result: ToolResult): ToolResult => {
  if (typeof result !== "object" || result === null || Array.isArray(result) || result instanceof Error) {
    throw new ToolResultError({ tool: call.name, problem: `a result object was expected, not ${describe(result)}` })
  }
  if (result.content !== undefined && !isBlockList(result.content)) {
    throw new ToolResultError({ tool: call.name, problem: "content must be an array of content blocks" })
  }
  if (result.toolCallId === call.id && result.name === call.name && result.error === undefined) return result
  return {
    ...result,
    toolCallId: call.id,
    name: call.name,
    ...(result.error === undefined || result.error === null ? undefined : { error: errorToErrorInfo(result.error) })
  }
}

const isBlockList = (content: unknown): boolean =>
  Array.isArray(content) &&
  content.every((block: unknown) => typeof block === "object" && block !== null && "type" in block)

const describe = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : value instanceof Error ? "an error" : typeof value
