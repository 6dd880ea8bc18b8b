/** One `session.run`, in the documented order: resolve, check, tell, record, loop, settle. */
import { runSkills } from "../input/skills.ts"
import { runSystemPrompt } from "../input/systemPrompt.ts"
import { planTurns } from "../input/assembleInput.ts"
import { resolveLoop } from "../loop/resolveLoop.ts"
import { singleShot, singleShotLoop } from "../loop/singleShot.ts"
import { readRunLimits } from "../agent/agentLimits.ts"
import { assertPorts } from "../agent/assertPorts.ts"
import type { RunOptions } from "../ports/AgentPort.ts"
import type { AIProvider } from "../ports/AIProvider.ts"
import type { AgentInput } from "../ports/Input.ts"
import { onAbort } from "../ports/onAbort.ts"
import { drive, driveTo, type Steps, waitFor } from "../ports/Steps.ts"
import { assertStructuredOutput } from "../provider/checkRequest.ts"
import { mergeProviderRequestOptions } from "../provider/RequestPolicy.ts"
import type { ModelConfig } from "../schema/Model.ts"
import { makeId } from "../store/ids.ts"
import { ActiveRun, type RunHost } from "./ActiveRun.ts"
import { appendEntry } from "./appendEntry.ts"
import { type Conclusion, concludeRun, type RunEnd, type RunOutcome } from "./concludeRun.ts"
import { guestContext } from "./guestContext.ts"
import { noteForeignNames, RunContext, type RunPlan } from "./loopContext.ts"
import { recordRun } from "./recordRun.ts"
import { assertInput, readInput } from "./runInput.ts"
import type { History } from "./Transcript.ts"

/**
 * Begins a run and returns at once; `onSettled` is called exactly once, also for a run that was stopped. Throws `TypeError`,
 * before anything else happens, for a limit, an option or an input that is not valid.
 */
export const startRun = (
  host: RunHost,
  given: AgentInput,
  options: RunOptions,
  onSettled: (outcome: RunOutcome) => void,
  id = makeId("run")
): ActiveRun => {
  const limits = readRunLimits(host.agent.limits, options)
  assertOptions(options)
  assertInput(given)
  let ended = false
  const end = (how: RunEnd): void => {
    if (ended) return
    ended = true
    forget?.()
    const hasSucceeded = how.status === "succeeded"
    run.close(hasSucceeded ? RUN_ENDED : how.error, hasSucceeded)
    const concluded = drive(concludeRun(run, how), run.unstopped)
    if (concluded instanceof Promise) void concluded.then(settle)
    else settle(concluded)
  }
  // In one go: whoever hears of the end may start the next run, whose subscriptions this one must not end.
  const settle = ({ event, outcome }: Conclusion): void => {
    host.active = undefined
    try {
      run.finish(event)
    } catch {
      // A host's broadcaster that broke its word: what the run came to is not changed by that.
    }
    onSettled(outcome)
  }
  const run = new ActiveRun(id, host, options, limits, end)
  host.active = run
  const { signal } = options
  const forget = signal === undefined ? undefined : onAbort(signal, () => run.abort(signal.reason))
  driveTo(runSteps(run, given), run, end, (error) => end({ status: "failed", error }))
  return run
}

/** What a context of a run that is over answers with. Made once: a stack for every run costs more than the run. */
const RUN_ENDED = new Error("Agent run has ended")

function* runSteps(run: ActiveRun, given: AgentInput): Steps<RunEnd> {
  const { config } = run.agent
  const model = run.options.model ?? config.model
  const input = readInput(given, run.redactor)
  run.provider = resolveProvider(run, model)
  if (run.options.signal?.aborted === true) run.abort(run.options.signal.reason)
  if (run.stopped) throw run.stopReason
  run.startedAt = run.now()
  run.startClock()
  const { runId, sessionId } = run
  const told = run.emit({ type: "agent_started", sessionId, runId })
  if (told !== undefined) yield told
  const recorded = recordRun(run, { status: "running" })
  if (recorded !== undefined) yield recorded
  const history = yield* run.transcript.load(run.leafId)
  run.leafId ??= history.leafId
  const plan = turnPlan(run, model, history)
  if (model.provider !== config.model.provider || model.model !== config.model.model) {
    yield* waitFor(appendEntry(run, { kind: "model_change", model, previousModel: config.model }))
  }
  run.mayHoldForeignNames = history.hasForeignNames
  for (const message of input.messages) {
    noteForeignNames(run, history, message)
    const appended = appendEntry(run, { kind: "message", message })
    if (appended !== undefined) yield appended
  }
  const loop = resolveLoop(run.options, config)
  if (loop === singleShotLoop) {
    const usage = yield* singleShot(new RunContext(run, history, input, plan))
    return { status: "succeeded", usage, keepsHistory: true }
  }
  // A host's loop may put into a request, and into the live history, what it likes.
  run.mayHoldForeignNames = true
  const usage = yield* waitFor(loop.run(guestContext(run, history, input, plan)))
  return { status: "succeeded", usage, keepsHistory: false }
}

const assertOptions = (options: RunOptions): void => {
  const { model, signal } = options
  assertPorts(options)
  if (model !== undefined && (typeof model?.provider !== "string" || typeof model.model !== "string")) {
    throw new TypeError("model must name a provider and a model")
  }
  if (signal !== undefined && (typeof signal?.aborted !== "boolean" || typeof signal.addEventListener !== "function")) {
    throw new TypeError("signal must be an AbortSignal")
  }
}

const resolveProvider = ({ agent, options }: ActiveRun, model: ModelConfig): AIProvider => {
  const provider =
    agent.config.provider ??
    options.providerSource?.(model) ??
    agent.config.providerSource?.(model) ??
    agent.resolveProvider?.(model)
  if (provider === undefined) throw new Error(`Unknown provider: ${model.provider}`)
  if (typeof provider?.generate !== "function") {
    throw new TypeError(`Provider of ${model.provider}/${model.model} must have an id and a generate function`)
  }
  return provider
}

/**
 * What is the same in every turn of the run, worked out once. Throws when a skill is unknown or lacks a tool, and when the
 * model cannot give the structured output that is asked for.
 */
const turnPlan = (run: ActiveRun, model: ModelConfig, history: History): RunPlan => {
  const { config, registry } = run.agent
  const { options } = run
  const skills = runSkills({
    configured: config.skills,
    skills: options.skills,
    activeSkills: options.activeSkills,
    activateAllSkills: options.activateAllSkills ?? config.activateAllSkills,
    tools: registry
  })
  const providerOptions = mergeProviderRequestOptions(config.providerOptions, options.providerOptions)
  assertStructuredOutput(model, providerOptions)
  const system = runSystemPrompt(config.instructions, config.systemPrompt, options.systemPrompt)
  const turns = planTurns({
    model,
    history: history.messages,
    view: history.view,
    systemInstructions: system === undefined ? undefined : [system],
    summaries: history.summaries,
    tools: registry.list(),
    skills,
    context: config.context,
    instructionInjectors: options.instructionInjectors ?? config.instructionInjectors,
    inputBuilder: config.inputBuilder,
    promptBuilder: config.promptBuilder,
    inputLayout: options.inputLayout ?? config.inputLayout,
    resourceLoader: config.resourceLoader,
    permission: run.permission,
    middleware: config.middleware,
    redactor: run.redactor,
    sessionId: run.sessionId,
    runId: run.id,
    signal: run.signal,
    metadata: run.metadata
  })
  return { turns, options: providerOptions }
}
