/** How turns follow each other, as a host hands it in. */
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { ArtifactValidation } from "../schema/Artifact.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { Metadata } from "../schema/Json.ts"
import type { Message } from "../schema/Message.ts"
import type { StructuredOutputOptions } from "../schema/ProviderRequest.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import type { Usage } from "../schema/Usage.ts"
import type { ProviderRequest, ProviderTurnResult } from "./AIProvider.ts"
import type { HostValue } from "./HostValue.ts"
import type { AgentInput } from "./Input.ts"

/**
 * What a loop may use of its run. Made once per run; its functions are bound. Nothing in it holds a known secret, a
 * provider or a credential.
 */
export interface LoopContext {
  readonly sessionId: string
  readonly runId: string
  readonly metadata: Metadata
  readonly signal: AbortSignal
  /** Live: a loop adds what later turns shall see. */
  readonly history: Array<Message>
  readonly input: AgentInput
  readonly inputMessages: ReadonlyArray<Message>
  readonly maxToolRounds: number
  readonly toolConcurrency: number
  assemble(nextInput: AgentInput, toolResults?: ReadonlyArray<ToolResult>, turn?: number): Promise<ProviderRequest>
  /** Policies, middleware, redaction and retry are inside. */
  generate(request: ProviderRequest): Promise<ProviderTurnResult>
  dispatchToolCall(call: ToolCallContent): Promise<ToolResult>
  isToolCallExclusive?(call: ToolCallContent): boolean
  /** The pool of the run's agent; `dispatchToolCallsInOrder` has one of its own without it. */
  readonly toolPool?: ToolPoolPort | undefined
  /** Stores the redacted message. */
  appendMessage(message: Message): Promise<void>
  /** Tells subscribers and the ledger, redacted. */
  emit(event: AgentEvent): void
}

export interface ToolBatch {
  readonly calls: ReadonlyArray<ToolCallContent>
  /** At least 1. */
  readonly concurrency: number
  /** Aborted: no further call may start, and the batch fails with the signal's reason once a running call has ended. */
  readonly signal: AbortSignal
  /** Passes every gate for one call. A refused or failed call comes back as a result; a failure here fails the batch. */
  dispatch(call: ToolCallContent): PromiseLike<ToolResult>
}

/** Runs the calls of one turn. */
export interface ToolPoolPort {
  /** Calls are claimed in order, and results keep the order of `calls` whatever finishes first. */
  runAll(batch: ToolBatch): HostValue<ReadonlyArray<ToolResult>>
}

/** The usage returned counts only when no turn reported any. */
export interface AgentLoopStrategy {
  readonly name: string
  run(context: LoopContext): HostValue<Usage | undefined | void>
}

export interface ArtifactContext {
  readonly sessionId: string
  readonly runId: string
  readonly turn: number
  readonly signal: AbortSignal
  readonly metadata: Metadata
}
export interface ArtifactParseResult<T> {
  readonly ok: boolean
  readonly value?: T | undefined
  readonly error?: string | undefined
}
export type ArtifactParser<T> = (text: string, context: ArtifactContext) => HostValue<ArtifactParseResult<T>>
export type ArtifactValidator<T> = (value: T, context: ArtifactContext) => HostValue<ArtifactValidation>
export type ArtifactRepairer<T> = (
  value: T | undefined,
  failure: ArtifactValidation,
  context: ArtifactContext
) => HostValue<AgentInput>

export type AgentLoopOptions =
  | {
      readonly strategy: "single-shot"
      /** Calls of one turn at once; 1 by default. */
      readonly toolConcurrency?: number | undefined
    }
  | {
      readonly strategy: "generate-validate-revise"
      readonly validator: ArtifactValidator<never>
      readonly parser?: ArtifactParser<unknown> | undefined
      readonly repairer?: ArtifactRepairer<never> | undefined
      /** 3 by default. */
      readonly maxRevisions?: number | undefined
      readonly toolCalls?: "disabled" | "bounded" | undefined
      readonly structuredOutput?: StructuredOutputOptions | undefined
      readonly structuredOutputMode?: "native" | "artifact-loop" | undefined
    }
