/** Agents and sessions as hosts of Promises hold them. */
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { SubscriberOverflowPolicy } from "../events/SessionEvents.ts"
import type { AgentRunResult } from "../records/AgentRunResult.ts"
import type { SessionEntry } from "../records/SessionEntry.ts"
import type { Metadata } from "../schema/Json.ts"
import type { ModelConfig } from "../schema/Model.ts"
import type { OwnershipScope } from "../schema/Ownership.ts"
import type { ProviderRequestOptions } from "../schema/ProviderRequest.ts"
import type { AIProvider, ProviderRequestPolicy, ProviderResolver, RetryOptions } from "./AIProvider.ts"
import type {
  AgentInput,
  ContextProvider,
  InputBuilder,
  InputLayout,
  InstructionInjector,
  PromptBuilder,
  ResourceLoader,
  Skill,
  SkillRegistry,
  SystemPromptLayer
} from "./Input.ts"
import type { AgentLoopOptions, AgentLoopStrategy } from "./LoopStrategy.ts"
import type { MiddlewareRegistry } from "./MiddlewarePort.ts"
import type { PermissionPolicy } from "./Policies.ts"
import type { SecretRedactor } from "./Redaction.ts"
import type { RunLedgerPort } from "./RunLedgerPort.ts"
import type { SessionStorePort } from "./SessionStorePort.ts"
import type { ToolDefinition, ToolRegistry, ToolValidator } from "./ToolDefinition.ts"

/** Bounds of one run. A run may only narrow what its agent sets; an unknown key is an error. */
export interface RunLimitsInput {
  /** Provider turns with tool calls that are answered: 1 by default, at most 64. */
  readonly maxToolRounds?: number | undefined
  /** Provider turns. */
  readonly maxTurns?: number | undefined
  /** Tool calls over the whole run. */
  readonly maxToolCalls?: number | undefined
  /** Wall time of the run, in milliseconds. */
  readonly maxWallMs?: number | undefined
  /** Deadline of every tool call, in milliseconds. */
  readonly toolTimeoutMs?: number | undefined
}

/** What agent and run may both say. For each field the run's word replaces the agent's, unless the field says otherwise. */
interface SharedOptions {
  readonly providerSource?: ProviderResolver | undefined
  /** Layers of the agent first, then of the run; `false` on a run drops the agent's. */
  readonly systemPrompt?: false | SystemPromptLayer | ReadonlyArray<SystemPromptLayer> | undefined
  readonly activateAllSkills?: true | undefined
  readonly inputLayout?: InputLayout | undefined
  readonly instructionInjectors?: ReadonlyArray<InstructionInjector> | undefined
  /** Merged: see `mergeProviderRequestOptions`. */
  readonly providerOptions?: ProviderRequestOptions | undefined
  /** The agent's first, then the run's. */
  readonly providerRequestPolicies?: ProviderRequestPolicy | ReadonlyArray<ProviderRequestPolicy> | undefined
  /** Merged; `false` on a run disables. */
  readonly retry?: false | RetryOptions | undefined
  readonly redactor?: SecretRedactor | undefined
  readonly runLedger?: RunLedgerPort | undefined
  readonly ownership?: OwnershipScope | undefined
  readonly idempotencyKey?: string | undefined
  readonly loop?: AgentLoopStrategy | AgentLoopOptions | undefined
  readonly limits?: RunLimitsInput | undefined
  /** Merged: agent, session, run, later keys winning. */
  readonly metadata?: Metadata | undefined
}

export interface AgentConfig extends SharedOptions {
  readonly model: ModelConfig
  /** Wins over any resolver. */
  readonly provider?: AIProvider | undefined
  readonly id?: string | undefined
  readonly name?: string | undefined
  /** The base of the system prompt. */
  readonly instructions?: string | undefined
  readonly tools?: ToolRegistry | ReadonlyArray<ToolDefinition> | undefined
  readonly context?: ReadonlyArray<ContextProvider> | undefined
  /** A list is active as a whole; a registry only what is selected. */
  readonly skills?: SkillRegistry | ReadonlyArray<Skill> | undefined
  readonly inputBuilder?: InputBuilder | undefined
  readonly promptBuilder?: PromptBuilder | undefined
  readonly resourceLoader?: ResourceLoader | undefined
  readonly middleware?: MiddlewareRegistry | undefined
  readonly permission?: PermissionPolicy | undefined
  readonly store?: SessionStorePort | undefined
  readonly validator?: ToolValidator | undefined
}

export interface RunOptions extends SharedOptions {
  readonly model?: ModelConfig | undefined
  readonly skills?: ReadonlyArray<Skill> | undefined
  readonly activeSkills?: ReadonlyArray<string> | undefined
  readonly validate?: ToolValidator | undefined
  /** As in `limits`, but 0 is allowed: then no tool ever runs. The smallest one given counts. */
  readonly maxToolRounds?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface AgentSessionConfig {
  readonly id?: string | undefined
  readonly store?: SessionStorePort | undefined
  readonly leafId?: string | undefined
  readonly metadata?: Metadata | undefined
}

export interface SubscribeOptions {
  /** Events that may wait for this subscriber; 1,024 by default. Leniently read: floored, at least 1. */
  readonly maxQueuedEvents?: number | undefined
  /** `close` by default. */
  readonly overflow?: SubscriberOverflowPolicy | undefined
  /** `run` (the default) ends with the run that is active or comes next; `closed` stays across runs. */
  readonly until?: "run" | "closed" | undefined
}

export interface AgentSessionPort {
  readonly id: string
  readonly leafId: string | undefined
  /** Rejects with `AgentRunError` when the run failed or was aborted. One run at a time. */
  run(input: AgentInput, options?: RunOptions): Promise<AgentRunResult>
  prompt(input: string, options?: RunOptions): Promise<AgentRunResult>
  /** Starts its run at the first `next()`, yields that run's events, and rejects after the last one if the run did not succeed. */
  stream(input: AgentInput, options?: RunOptions & SubscribeOptions): AsyncIterable<AgentEvent>
  subscribe(options?: SubscribeOptions): AsyncIterable<AgentEvent>
  abort(reason?: unknown): void
  entries(): Promise<ReadonlyArray<SessionEntry>>
  checkout(leafId?: string): Promise<void>
  fork(options?: { readonly leafId?: string | undefined }): AgentSessionPort
  clone(options?: { readonly id?: string | undefined; readonly leafId?: string | undefined }): Promise<AgentSessionPort>
}

export interface AgentPort {
  readonly config: AgentConfig
  createSession(config?: AgentSessionConfig): AgentSessionPort
}
