/** A model provider as a host hands it in. */
import type { ContentBlock, ToolCallContent } from "../schema/Content.ts"
import type { Metadata } from "../schema/Json.ts"
import type { Message } from "../schema/Message.ts"
import type { ModelConfig } from "../schema/Model.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"
import type { ContextBlock, ProviderRequestOptions } from "../schema/ProviderRequest.ts"
import type { Usage } from "../schema/Usage.ts"
import type { HostValue } from "./HostValue.ts"
import type { ToolDefinition } from "./ToolDefinition.ts"

export interface ProviderRequest {
  readonly model: ModelConfig
  readonly messages: ReadonlyArray<Message>
  readonly tools?: ReadonlyArray<ToolDefinition> | undefined
  readonly context?: ReadonlyArray<ContextBlock> | undefined
  readonly options?: ProviderRequestOptions | undefined
  readonly metadata?: Metadata | undefined
  /** Aborts with the run. An adapter closes its connection then. */
  readonly signal?: AbortSignal | undefined
}

/** One provider. `generate` is called once per attempt; the iterable is read to its end, to `done` or `error`, or returned early. */
export interface AIProvider {
  readonly id: string
  generate(request: ProviderRequest): AsyncIterable<ProviderEvent>
}

export type ProviderResolver = (model: ModelConfig) => AIProvider | undefined

/** What one provider turn came to. `started` is false when it produced no message. */
export interface ProviderTurnResult {
  readonly content: ReadonlyArray<ContentBlock>
  readonly calls: ReadonlyArray<ToolCallContent>
  readonly messageId?: string | undefined
  readonly started: boolean
  readonly usage?: Usage | undefined
}

export interface ProviderRequestPolicyContext {
  readonly sessionId: string
  readonly runId: string
  readonly signal?: AbortSignal | undefined
  readonly metadata?: Metadata | undefined
}

/** `secrets` are removed from the errors of that turn. */
export interface ProviderRequestPolicyResult {
  readonly request: ProviderRequest
  readonly secrets?: ReadonlyArray<string | undefined> | undefined
}

/** Changes a request once per turn, before it is sent. */
export interface ProviderRequestPolicy {
  readonly name?: string | undefined
  apply(
    request: ProviderRequest,
    context: ProviderRequestPolicyContext
  ): HostValue<ProviderRequest | ProviderRequestPolicyResult>
}

export interface RetryContext {
  readonly sessionId: string
  readonly runId: string
  readonly turn: number
  /** The attempt that failed, from 1. */
  readonly attempt: number
  readonly error: unknown
  readonly signal?: AbortSignal | undefined
}

export interface RetryDecision {
  readonly retry: boolean
  /** Milliseconds before the next attempt. */
  readonly delayMs?: number | undefined
  /** Removed from the error that is told. */
  readonly secrets?: ReadonlyArray<string | undefined> | undefined
}

export interface RetryPolicy {
  decide(context: RetryContext): HostValue<RetryDecision>
}

export interface RetryOptions {
  /** Attempts in all, 3 by default. */
  readonly maxAttempts?: number | undefined
  /** 100 by default; doubled after every attempt. */
  readonly baseDelayMs?: number | undefined
  /** 1,000 by default. */
  readonly maxDelayMs?: number | undefined
  /** Error codes to retry beside the known transient ones. */
  readonly transientCodes?: ReadonlyArray<string | number> | undefined
  /** Replaces the default policy. */
  readonly policy?: RetryPolicy | undefined
  readonly secrets?: ReadonlyArray<string | undefined> | undefined
}
