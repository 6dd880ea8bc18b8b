import { LimitError } from "../../errors/LimitError.ts"
import { isWithin } from "../../limits/Limits.ts"
import { ToolLimits } from "../../limits/ToolLimits.ts"
import type { HostValue } from "../../ports/HostValue.ts"
import { isPending, type Steps, waitFor } from "../../ports/Steps.ts"
import type { ToolDefinition } from "../../ports/ToolDefinition.ts"
import type { ToolResult } from "../../schema/ToolResult.ts"
import type { Dispatch } from "../DispatchScope.ts"
import { HostFailure } from "../HostFailure.ts"
import { ownArguments } from "../ownArguments.ts"
import { readResult } from "../readResult.ts"
import { type Deadline, openDeadline } from "./deadline.ts"
import { recordToolCall } from "./recordToolCall.ts"
import { toolContext } from "./toolContext.ts"

/** Tells that the call starts, then runs the tool, within its deadline if it has one. Every gate has been passed. */
export function* executeTool(dispatch: Dispatch, tool: ToolDefinition): Steps<ToolResult> {
  const { call, scope } = dispatch
  const told = scope.emit({ type: "tool_execution_started", sessionId: scope.sessionId, runId: scope.runId, call })
  if (told !== undefined) yield told
  const recorded = recordToolCall(dispatch, { status: "started" })
  if (recorded !== undefined) yield recorded
  let deadline: Deadline | undefined
  try {
    const timeoutMs = timeoutOf(tool, scope.toolTimeoutMs)
    if (timeoutMs !== undefined) deadline = openDeadline(scope, call.name, timeoutMs)
    const answer = startTool(dispatch, tool, deadline === undefined ? scope.signal : deadline.signal)
    if (!isPending(answer)) return readResult(call, answer)
    return readResult(call, yield* waitFor(deadline === undefined ? answer : deadline.within(answer)))
  } catch (error) {
    throw new HostFailure(error)
  } finally {
    dispatch.running = false
    deadline?.close()
    // A ledger that refused progress has failed the run, whatever the tool made of that.
    if (dispatch.telling !== undefined) yield dispatch.telling
  }
}

const startTool = (
  dispatch: Dispatch,
  tool: ToolDefinition,
  signal: AbortSignal | undefined
): HostValue<ToolResult> => {
  const { call, scope } = dispatch
  // Whoever was asked or told on the way here may have aborted, without anything to wait for in between.
  if (scope.stopped) throw scope.stopReason
  signal?.throwIfAborted()
  dispatch.running = true
  return tool.execute(ownArguments(call.arguments), toolContext(dispatch, signal))
}

/** The smaller one. A registry of the host's own need not have checked what its tools ask for. */
const timeoutOf = ({ timeoutMs }: ToolDefinition, ofRun: number | undefined): number | undefined => {
  if (timeoutMs === undefined) return ofRun
  const { hardCap } = ToolLimits.table.timeoutMs
  if (!isWithin(timeoutMs, hardCap)) throw new LimitError({ limit: "timeoutMs", value: timeoutMs, max: hardCap })
  return ofRun === undefined ? timeoutMs : Math.min(timeoutMs, ofRun)
}
