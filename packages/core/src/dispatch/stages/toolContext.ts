import { drivePromise, type Steps, waitFor } from "../../ports/Steps.ts"
import type { ToolExecutionContext } from "../../ports/ToolDefinition.ts"
import type { Metadata } from "../../schema/Json.ts"
import type { Dispatch } from "../DispatchScope.ts"
import { recordToolCall } from "./recordToolCall.ts"

/** What validator and tool see around the call. `signal` is the run's, or that of the call's own deadline. */
export const toolContext = (dispatch: Dispatch, signal: AbortSignal | undefined): ToolExecutionContext => {
  const { call, scope } = dispatch
  return {
    sessionId: scope.sessionId,
    runId: scope.runId,
    toolCallId: call.id,
    signal,
    metadata: scope.metadata,
    progress: (progress, metadata) => {
      const told = drivePromise(tellProgress(dispatch, signal, progress, metadata), scope)
      // A tool need not wait. A ledger that failed here also refuses the next row, so nothing is lost by that.
      told.catch(() => undefined)
      return told
    }
  }
}

function* tellProgress(
  dispatch: Dispatch,
  signal: AbortSignal | undefined,
  progress: unknown,
  metadata: Metadata | undefined
): Steps<void> {
  const { call, scope } = dispatch
  // A call that was aborted or timed out is settled: what it still says belongs to nobody.
  if (scope.stopped || signal?.aborted === true) return
  if (scope.progress !== undefined) yield* waitFor(scope.progress(progress, metadata))
  yield* waitFor(
    scope.emit({
      type: "tool_execution_progress",
      sessionId: scope.sessionId,
      runId: scope.runId,
      toolCallId: call.id,
      name: call.name,
      ...(progress === undefined ? undefined : { progress }),
      ...(metadata === undefined ? undefined : { metadata })
    })
  )
  yield* waitFor(recordToolCall(dispatch, { status: "started", progress, progressMetadata: metadata }))
}
