/** The one object that a loop gets of its run. Its functions are not bound: see `guestContext`. */
import { dispatchToolCall } from "../dispatch/dispatchToolCall.ts"
import { resolveToolConcurrency } from "../dispatch/resolveToolConcurrency.ts"
import { assembleSteps, plainInput, planTurns, type TurnInput, type TurnPlan } from "../input/assembleInput.ts"
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { ProviderRequest, ProviderTurnResult } from "../ports/AIProvider.ts"
import type { AgentInput } from "../ports/Input.ts"
import type { LoopContext, ToolPoolPort } from "../ports/LoopStrategy.ts"
import { drivePromise, type Steps, waitFor } from "../ports/Steps.ts"
import type { ToolRegistry } from "../ports/ToolDefinition.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { Metadata } from "../schema/Json.ts"
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
export class RunContext implements LoopContext {
  readonly #run: ActiveRun
  readonly #plan: RunPlan
  readonly #history: History
  readonly sessionId: string
  readonly runId: string
  readonly metadata: Metadata
  readonly signal: AbortSignal
  readonly history: Array<Message>
  readonly input: AgentInput
  readonly inputMessages: ReadonlyArray<Message>
  readonly maxToolRounds: number
  readonly toolConcurrency: number
  readonly toolPool: ToolPoolPort

  constructor(run: ActiveRun, history: History, input: RunInput, plan: RunPlan) {
    this.#run = run
    this.#plan = plan
    this.#history = history
    this.sessionId = run.sessionId
    this.runId = run.id
    this.metadata = run.metadata
    this.signal = run.signal
    this.history = history.messages
    this.input = input.given
    this.inputMessages = input.messages
    this.maxToolRounds = run.limits.maxToolRounds
    this.toolConcurrency = resolveToolConcurrency(run.options, run.agent.config)
    this.toolPool = run.agent.toolPool
  }

  assemble(
    nextInput: AgentInput,
    toolResults: ReadonlyArray<ToolResult> = [],
    turn = this.#run.budget.turns + 1
  ): Promise<ProviderRequest> {
    return drivePromise(assemble(this.#run, this.#plan, { input: nextInput, toolResults, turn }), this.#run)
  }

  generate(request: ProviderRequest): Promise<ProviderTurnResult> {
    return drivePromise(generate(this.#run, request), this.#run)
  }

  dispatchToolCall(call: ToolCallContent): Promise<ToolResult> {
    return drivePromise(dispatch(this.#run, call), this.#run)
  }

  isToolCallExclusive(call: ToolCallContent): boolean {
    return this.#run.registry.get(call.name)?.exclusive === true
  }

  appendMessage(message: Message): Promise<void> {
    return append(this.#run, this.#history, message)
  }

  emit(event: AgentEvent): void {
    // A ledger that fails here refuses the next row too, and somebody waits for that one.
    this.#run.emit(event)?.catch(() => undefined)
  }
}

function* assemble(run: ActiveRun, plan: RunPlan, turn: TurnInput): Steps<ProviderRequest> {
  const turns = run.registry.prepareTurn === undefined ? plan.turns : yield* withCurrentTools(run.registry, plan.turns)
  const { context, messages, model, tools } = plainInput(turns, turn) ?? (yield* assembleSteps(turns, turn))
  return { model, messages, tools, context, options: plan.options, metadata: run.metadata, signal: run.signal }
}

/** Of a registry whose list may change between turns. */
function* withCurrentTools(registry: ToolRegistry, turns: TurnPlan): Steps<TurnPlan> {
  yield* waitFor(registry.prepareTurn?.())
  return planTurns({ ...turns.parts, tools: registry.list() })
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
