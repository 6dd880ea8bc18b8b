/** The order in which a turn's request is put together, up to its messages. */
import type {
  AgentInput,
  AssemblyContext,
  Attachment,
  ContextProvider,
  InputBuilder,
  InputLayout,
  InputParts,
  InstructionInjector,
  PromptBuilder,
  PromptParts,
  ResourceLoader,
  Skill
} from "../ports/Input.ts"
import { hasMiddleware, runMiddleware } from "../middleware/Middleware.ts"
import type { MiddlewareRegistry } from "../ports/MiddlewarePort.ts"
import type { PermissionPolicy } from "../ports/Policies.ts"
import type { SecretRedactor } from "../ports/Redaction.ts"
import { drivePromise, unstoppable, waitFor, type Steps } from "../ports/Steps.ts"
import type { ToolDefinition } from "../ports/ToolDefinition.ts"
import type { Metadata } from "../schema/Json.ts"
import type { Message } from "../schema/Message.ts"
import type { ModelConfig } from "../schema/Model.ts"
import type { ContextBlock } from "../schema/ProviderRequest.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import { contextSteps, providersOf } from "./contextProviders.ts"
import { inputMessages } from "./inputMessages.ts"
import { blocksOf, messagesOf } from "./hostAnswers.ts"
import { injectionSteps, type InjectedInstructions } from "./instructionInjection.ts"
import { buildInputSteps, buildPrompt, preambleMessages } from "./layouts.ts"
import { providerView, type ProviderView } from "./providerView.ts"

/** What a turn's request is made of. Everything but model and input may be left out. */
export interface ProviderInputParts {
  readonly model: ModelConfig
  /** What is new in this turn; `[]` when the model only goes on. */
  readonly input: AgentInput
  /** The transcript before the input. */
  readonly history?: ReadonlyArray<Message> | undefined
  readonly systemInstructions?: ReadonlyArray<string> | undefined
  readonly developerInstructions?: ReadonlyArray<string> | undefined
  readonly summaries?: ReadonlyArray<string> | undefined
  readonly attachments?: ReadonlyArray<Attachment> | undefined
  /** Results that are not in the history. */
  readonly toolResults?: ReadonlyArray<ToolResult> | undefined
  /** The active tools: what the request carries, whatever a hook does. */
  readonly tools?: ReadonlyArray<ToolDefinition> | undefined
  /** The active skills. Their providers of context are asked after those of `context`. */
  readonly skills?: ReadonlyArray<Skill> | undefined
  readonly context?: ReadonlyArray<ContextProvider> | undefined
  readonly instructionInjectors?: ReadonlyArray<InstructionInjector> | undefined
  readonly inputBuilder?: InputBuilder | undefined
  readonly promptBuilder?: PromptBuilder | undefined
  /** `cache_aware` by default. */
  readonly inputLayout?: InputLayout | undefined
  readonly resourceLoader?: ResourceLoader | undefined
  /** Asked before a resource is loaded. */
  readonly permission?: PermissionPolicy | undefined
  readonly middleware?: MiddlewareRegistry | undefined
  /** Applied to what injectors see of input and history. */
  readonly redactor?: SecretRedactor | undefined
  readonly sessionId?: string | undefined
  readonly runId?: string | undefined
  /** From 1. */
  readonly turn?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly metadata?: Metadata | undefined
}

/** What the turns of a run have in common. */
export interface TurnParts extends Omit<ProviderInputParts, "input" | "toolResults" | "turn"> {
  /** The view of this run's history. */
  readonly view?: ProviderView | undefined
}

/** What follows from the parts for every turn, worked out once. */
export interface TurnPlan {
  readonly parts: TurnParts
  /** The messages before the history. */
  readonly preamble: ReadonlyArray<Message>
  /** True if nothing of the host but hooks has a say between the history and the request. */
  readonly isPlain: boolean
}

/** What is of one turn. */
export interface TurnInput {
  readonly input: AgentInput
  readonly toolResults?: ReadonlyArray<ToolResult> | undefined
  readonly turn?: number | undefined
}

/** The part of a `ProviderRequest` that assembly makes. `context` is absent if there is none. */
export interface AssembledInput {
  readonly model: ModelConfig
  readonly messages: ReadonlyArray<Message>
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly context?: ReadonlyArray<ContextBlock> | undefined
}

const none: ReadonlyArray<never> = []
const nothingInjected: InjectedInstructions = { instructions: none, contextBlocks: none }

const isEmpty = (list: ReadonlyArray<unknown> | undefined): boolean => list === undefined || list.length === 0

const hooks = ["input_assembly", "context", "prompt_build"] as const

const hasHooks = (middleware: MiddlewareRegistry | undefined): boolean =>
  middleware !== undefined && hooks.some((hook) => hasMiddleware(middleware, hook))

const isPlain = (parts: TurnParts): boolean =>
  parts.inputBuilder === undefined &&
  parts.promptBuilder === undefined &&
  isEmpty(parts.instructionInjectors) &&
  isEmpty(parts.context) &&
  isEmpty(parts.attachments) &&
  (parts.skills === undefined || parts.skills.every((skill) => isEmpty(skill.context)))

/** The messages that stand before the history in every turn of a run whose parts these are, unless a host has a say there. */
const preamble = (parts: TurnParts): ReadonlyArray<Message> =>
  hasNoPreamble(parts)
    ? none
    : preambleMessages({
        model: parts.model,
        skills: parts.skills ?? none,
        tools: parts.tools ?? none,
        systemInstructions: parts.systemInstructions ?? none,
        developerInstructions: parts.developerInstructions ?? none,
        summaries: parts.summaries ?? none
      })

const hasNoPreamble = (parts: TurnParts): boolean =>
  isEmpty(parts.skills) &&
  isEmpty(parts.tools) &&
  isEmpty(parts.systemInstructions) &&
  isEmpty(parts.developerInstructions) &&
  isEmpty(parts.summaries)

/** The plan of a run whose turns have these parts. */
export const planTurns = (parts: TurnParts): TurnPlan => ({
  parts,
  preamble: preamble(parts),
  isPlain: isPlain(parts)
})

/** One new array, and no look at a message that was looked at before. */
const plainMessages = (plan: TurnPlan, given: AgentInput): ReadonlyArray<Message> => {
  const { history = none, view } = plan.parts
  const before = plan.preamble
  const input = inputMessages(given)
  if (view === undefined) return providerView(before.concat(history, input))
  // Input that begins with results answers calls of the history: then both are looked at as one log.
  return providerView(input) === input
    ? before.concat(view.messages(history), input)
    : before.concat(providerView([...history, ...input]))
}

const inputParts = (parts: ProviderInputParts, injected: InjectedInstructions): InputParts => ({
  input: parts.input,
  // Never the live list of a session: a builder belongs to the host.
  history: [...(parts.history ?? none)],
  systemInstructions: [...(parts.systemInstructions ?? none), ...injected.instructions],
  developerInstructions: parts.developerInstructions ?? none,
  summaries: parts.summaries ?? none,
  attachments: parts.attachments ?? none,
  toolResults: parts.toolResults ?? none
})

const injected = (parts: ProviderInputParts, context: AssemblyContext): Steps<InjectedInstructions> => {
  const { history = none, input, redactor } = parts
  return injectionSteps(parts.instructionInjectors ?? none, {
    ...context,
    input: redactor === undefined ? input : redactor.redact(input),
    history: redactor === undefined ? [...history] : redactor.redact(history)
  })
}

const assemblyContext = (parts: ProviderInputParts): AssemblyContext => ({
  sessionId: parts.sessionId ?? "",
  runId: parts.runId ?? "",
  turn: parts.turn ?? 1,
  signal: parts.signal ?? new AbortController().signal,
  metadata: parts.metadata ?? {}
})

/** `assembleProviderInput` as steps, for one turn of a plan. */
export function* assembleSteps(plan: TurnPlan, of: TurnInput): Steps<AssembledInput> {
  const plain = plainInput(plan, of)
  if (plain !== undefined) return plain
  const { middleware, model, skills = none, tools = none } = plan.parts
  const parts: ProviderInputParts = { ...plan.parts, ...of }
  const turn = assemblyContext(parts)
  const layout = parts.inputLayout ?? "cache_aware"
  const extra = isEmpty(parts.instructionInjectors) ? nothingInjected : yield* injected(parts, turn)
  const sections = inputParts(parts, extra)
  const built =
    parts.inputBuilder === undefined
      ? yield* buildInputSteps(sections, layout, parts, turn.signal)
      : messagesOf("inputBuilder", yield* waitFor(parts.inputBuilder.build(sections, { ...turn, layout })))
  const assembled = yield* runMiddleware(middleware, "input_assembly", built)
  const messages = messagesOf("input_assembly middleware", assembled)
  const blocks = yield* contextSteps(providersOf(parts.context, skills), turn)
  const found = yield* runMiddleware(middleware, "context", [...blocks, ...extra.contextBlocks])
  const context = blocksOf("context middleware", found)
  const prompt: PromptParts = { model, messages, context, skills, tools }
  const hooked = yield* runMiddleware(middleware, "prompt_build", prompt)
  // Model and tools are the run's: what a hook puts there reaches neither the request nor its text.
  const final: PromptParts = {
    ...hooked,
    model,
    tools,
    messages: messagesOf("prompt_build middleware", hooked?.messages),
    context: blocksOf("prompt_build middleware", hooked.context)
  }
  const sent =
    parts.promptBuilder === undefined
      ? buildPrompt(final)
      : messagesOf("promptBuilder", yield* waitFor(parts.promptBuilder.build(final, turn)))
  return { model, messages: providerView(sent), tools, ...(final.context.length > 0 && { context: final.context }) }
}

/** The same without steps, for a turn in which nothing of the host has a say: else `undefined`. */
export const plainInput = (plan: TurnPlan, of: TurnInput): AssembledInput | undefined => {
  const { middleware, model, tools = none } = plan.parts
  return plan.isPlain && isEmpty(of.toolResults) && !hasHooks(middleware)
    ? { model, messages: plainMessages(plan, of.input), tools }
    : undefined
}

/**
 * The messages of one turn's request, in this order of work: instruction injectors, input builder, `input_assembly` hooks,
 * providers of context (then what injectors added), `context` hooks, `prompt_build` hooks, prompt builder. The result answers
 * every call once (see `providerView`), and its tools are the given ones whatever a hook does. Reads nothing but its parts.
 */
export const assembleProviderInput = (parts: ProviderInputParts): Promise<AssembledInput> =>
  drivePromise(assembleSteps(planTurns(parts), parts), unstoppable)
