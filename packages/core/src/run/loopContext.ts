/** The one object that a loop gets of its run. */
import { dispatchToolCall } from "../dispatch/dispatchToolCall.ts"
import { resolveToolConcurrency } from "../dispatch/resolveToolConcurrency.ts"
import { assembleSteps, type TurnInputParts } from "../input/assembleInput.ts"
import type { ProviderRequest, ProviderTurnResult } from "../ports/AIProvider.ts"
import type { LoopContext } from "../ports/LoopStrategy.ts"
import { drivePromise, type Steps, waitFor } from "../ports/Steps.ts"
import { mergeProviderRequestOptions } from "../provider/RequestPolicy.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import { runProviderTurn } from "../turn/runProviderTurn.ts"
import type { ActiveRun } from "./ActiveRun.ts"
import { appendEntry } from "./appendEntry.ts"
import type { RunInput } from "./runInput.ts"
import type { History } from "./Transcript.ts"

/** `parts` are those of every turn. Nothing of the context works any more once the run is stopped. */
export const makeLoopContext = (
  run: ActiveRun,
  history: History,
  input: RunInput,
  parts: TurnInputParts
): LoopContext => ({
  sessionId: run.sessionId,
  runId: run.id,
  metadata: run.metadata,
  signal: run.signal,
  history: history.messages,
  input: input.given,
  inputMessages: input.messages,
  maxToolRounds: run.limits.maxToolRounds,
  toolConcurrency: resolveToolConcurrency(run.options, run.agent.config),
  toolPool: run.agent.toolPool,
  assemble: (nextInput, toolResults = [], turn = run.budget.turns + 1) =>
    drivePromise(assemble(run, { ...parts, input: nextInput, toolResults, turn }), run),
  generate: (request) => drivePromise(generate(run, request), run),
  dispatchToolCall: (call) => drivePromise(dispatch(run, call), run),
  isToolCallExclusive: (call) => run.registry.get(call.name)?.exclusive === true,
  appendMessage: (message) => drivePromise(waitFor(appendEntry(run, { kind: "message", message })), run),
  emit: (event) => {
    // A ledger that fails here refuses the next row too, and somebody waits for that one.
    run.emit(event)?.catch(() => undefined)
  }
})

function* assemble(run: ActiveRun, parts: TurnInputParts): Steps<ProviderRequest> {
  const assembled = yield* assembleSteps(parts)
  const options = mergeProviderRequestOptions(run.agent.config.providerOptions, run.options.providerOptions)
  const request: ProviderRequest = {
    ...assembled,
    signal: run.signal,
    metadata: run.metadata,
    ...(options === undefined ? undefined : { options })
  }
  return request
}

function* generate(run: ActiveRun, request: ProviderRequest): Steps<ProviderTurnResult> {
  const result = yield* runProviderTurn(run, request)
  if (result.started) {
    run.lastMessage = {
      ...(result.messageId === undefined ? undefined : { id: result.messageId }),
      role: "assistant",
      content: result.content
    }
  }
  return result
}

function* dispatch(run: ActiveRun, call: ToolCallContent): Steps<ToolResult> {
  run.budget.beginToolCall()
  const result = yield* dispatchToolCall(run, call)
  return run.redactor === undefined ? result : run.redactor.redact(result)
}
