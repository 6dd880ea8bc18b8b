/** The one object that a loop gets of its run. */
import { dispatchToolCall } from "../dispatch/dispatchToolCall.ts"
import { resolveToolConcurrency } from "../dispatch/resolveToolConcurrency.ts"
import { assembleSteps, type TurnInput, type TurnPlan } from "../input/assembleInput.ts"
import type { ProviderRequest, ProviderTurnResult } from "../ports/AIProvider.ts"
import type { LoopContext } from "../ports/LoopStrategy.ts"
import { drivePromise, type Steps } from "../ports/Steps.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { Message } from "../schema/Message.ts"
import type { ProviderRequestOptions } from "../schema/ProviderRequest.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import { assistantMessage } from "../loop/singleShot.ts"
import { runProviderTurn } from "../turn/runProviderTurn.ts"
import type { ActiveRun } from "./ActiveRun.ts"
import { appendEntry } from "./appendEntry.ts"
import type { RunInput } from "./runInput.ts"
import { type History, namesForeignTool } from "./Transcript.ts"

/** What is the same in every turn of a run. */
export interface RunPlan {
  readonly turns: TurnPlan
  readonly options: ProviderRequestOptions
}

/** Nothing of the context works any more once the run is stopped. */
export const makeLoopContext = (run: ActiveRun, history: History, input: RunInput, plan: RunPlan): LoopContext => ({
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
    drivePromise(assemble(run, plan, { input: nextInput, toolResults, turn }), run),
  generate: (request) => drivePromise(generate(run, request), run),
  dispatchToolCall: (call) => drivePromise(dispatch(run, call), run),
  isToolCallExclusive: (call) => run.registry.get(call.name)?.exclusive === true,
  appendMessage: (message) => append(run, history, message),
  emit: (event) => {
    // A ledger that fails here refuses the next row too, and somebody waits for that one.
    run.emit(event)?.catch(() => undefined)
  }
})

function* assemble(run: ActiveRun, plan: RunPlan, turn: TurnInput): Steps<ProviderRequest> {
  const { context, messages, model, tools } = yield* assembleSteps(plan.turns, turn)
  return { model, messages, tools, context, options: plan.options, metadata: run.metadata, signal: run.signal }
}

function* generate(run: ActiveRun, request: ProviderRequest): Steps<ProviderTurnResult> {
  const result = yield* runProviderTurn(run, request)
  if (result.started) run.lastMessage = assistantMessage(result)
  return result
}

function* dispatch(run: ActiveRun, call: ToolCallContent): Steps<ToolResult> {
  run.budget.beginToolCall()
  const result = yield* dispatchToolCall(run, call)
  return run.redactor === undefined ? result : run.redactor.redact(result)
}

const APPENDED = Promise.resolve()

const append = (run: ActiveRun, history: History, message: Message): Promise<void> => {
  try {
    noteForeignNames(run, history, message)
    return appendEntry(run, { kind: "message", message }) ?? APPENDED
  } catch (error) {
    return Promise.reject(error)
  }
}

/** A model may make up a name that no provider accepts back. */
export const noteForeignNames = (run: ActiveRun, history: History, message: Message): void => {
  if (run.mayHoldForeignNames || !namesForeignTool(message)) return
  run.mayHoldForeignNames = true
  history.hasForeignNames = true
}
