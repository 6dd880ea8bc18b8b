import type { ToolExecutionContext } from "../../ports/ToolDefinition.ts"
import type { Metadata } from "../../schema/Json.ts"
import type { Dispatch } from "../DispatchScope.ts"
import { recordToolCall } from "./recordToolCall.ts"

/** What a validator sees around the call: nothing runs yet, so there is no progress to tell. */
export const callContext = ({ call, scope }: Dispatch): ToolExecutionContext => ({
  sessionId: scope.sessionId,
  runId: scope.runId,
  toolCallId: call.id,
  signal: scope.signal,
  metadata: scope.metadata
})

/** What the tool sees. `signal` is the run's, or that of the call's own deadline. */
export const toolContext = (dispatch: Dispatch, signal: AbortSignal | undefined): ToolExecutionContext => ({
  sessionId: dispatch.scope.sessionId,
  runId: dispatch.scope.runId,
  toolCallId: dispatch.call.id,
  signal,
  metadata: dispatch.scope.metadata,
  progress: (progress, metadata) => {
    // A call that was aborted, timed out or has ended is settled: what it still says belongs to nobody.
    if (!dispatch.running || dispatch.scope.stopped || signal?.aborted === true) return Promise.resolve()
    const told = tellProgress(dispatch, progress, metadata)
    if (told === undefined) return Promise.resolve()
    // The tool may let go of it; the call waits for it.
    const telling = dispatch.telling === undefined ? told : dispatch.telling.then(() => told)
    told.catch(ignore)
    telling.catch(ignore)
    dispatch.telling = telling
    return told
  }
})

const ignore = (): void => undefined

/**
 * Told in one go and waited for behind it: a slow listener neither delays nor reorders what the others are told. Answers
 * with nothing if nobody is slow.
 */
const tellProgress = (
  dispatch: Dispatch,
  progress: unknown,
  metadata: Metadata | undefined
): Promise<void> | undefined => {
  const { call, scope } = dispatch
  const waits: Array<Promise<void>> = []
  const wait = (told: void | Promise<void>): void => {
    if (told !== undefined) waits.push(told)
  }
  try {
    wait(scope.progress?.(progress, metadata))
    wait(
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
    wait(recordToolCall(dispatch, { status: "started", progress, progressMetadata: metadata }))
  } catch (error) {
    // What is on its way may fail as well, and nobody waits for it any more.
    void Promise.allSettled(waits)
    return Promise.reject(error)
  }
  return waits.length === 0 ? undefined : Promise.all(waits).then(ignore)
}
