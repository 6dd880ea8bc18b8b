/** What a host adds to a request beside the transcript. */
import type { Metadata } from "../schema/Json.ts"
import type { ContentBlock } from "../schema/Content.ts"
import type { Message } from "../schema/Message.ts"
import type { ModelConfig } from "../schema/Model.ts"
import type { ContextBlock } from "../schema/ProviderRequest.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import type { HostValue } from "./HostValue.ts"
import type { ToolDefinition } from "./ToolDefinition.ts"

/** Text, one message or several. Text is one user message. */
export type AgentInput = string | Message | ReadonlyArray<Message>

export interface AssemblyContext {
  readonly sessionId: string
  readonly runId: string
  readonly turn: number
  readonly signal: AbortSignal
  readonly metadata: Metadata
}

/** Asked once per turn for blocks of context. */
export interface ContextProvider {
  readonly name?: string | undefined
  resolve(context: AssemblyContext): HostValue<ReadonlyArray<ContextBlock> | ContextBlock | undefined>
}

/** Instructions, context and the names of the tools that they need. A skill never enables a tool. */
export interface Skill {
  readonly name: string
  readonly description?: string | undefined
  readonly instructions?: string | undefined
  readonly context?: ReadonlyArray<ContextProvider> | undefined
  readonly toolNames?: ReadonlyArray<string> | undefined
  readonly metadata?: Metadata | undefined
}

export interface SkillRegistry {
  register(skill: Skill): void
  get(name: string): Skill | undefined
  resolve(name: string): Skill
  list(): ReadonlyArray<Skill>
}

/** Sources rank user, package, unknown, app, run: a later rank is laid over an earlier one. */
export interface SystemPromptLayer {
  readonly id?: string | undefined
  readonly text: string
  readonly source?: "user" | "package" | "unknown" | "app" | "run" | undefined
  /** `append` by default; `disable` clears all below it. */
  readonly mode?: "append" | "prepend" | "replace" | "disable" | undefined
}

export interface Attachment {
  readonly name?: string | undefined
  readonly text?: string | undefined
  readonly content?: ReadonlyArray<ContentBlock> | undefined
  /** Loaded by the host's `ResourceLoader`, after permission `resource:<uri>:load`. */
  readonly uri?: string | undefined
}

export interface LoadedResource {
  readonly uri: string
  readonly name?: string | undefined
  readonly text: string
}
export interface ResourceLoader {
  load(uri: string, context: { readonly signal: AbortSignal }): HostValue<LoadedResource>
}

/** What the sections of a request are made from. */
export interface InputParts {
  readonly input: AgentInput
  readonly history: ReadonlyArray<Message>
  readonly systemInstructions: ReadonlyArray<string>
  readonly developerInstructions: ReadonlyArray<string>
  readonly summaries: ReadonlyArray<string>
  readonly attachments: ReadonlyArray<Attachment>
  readonly toolResults: ReadonlyArray<ToolResult>
}

/** Turns parts into messages, in the order of a layout. */
export interface InputBuilder {
  build(
    parts: InputParts,
    context: AssemblyContext & { readonly layout: InputLayout }
  ): HostValue<ReadonlyArray<Message>>
}

export type InputLayout = "cache_aware" | "legacy"

export interface PromptParts {
  readonly model: ModelConfig
  readonly messages: ReadonlyArray<Message>
  readonly context: ReadonlyArray<ContextBlock>
  readonly skills: ReadonlyArray<Skill>
  readonly tools: ReadonlyArray<ToolDefinition>
}

/** Lays context, skills and the list of tools before the messages. */
export interface PromptBuilder {
  build(parts: PromptParts, context: AssemblyContext): HostValue<ReadonlyArray<Message>>
}

export interface InstructionInjection {
  readonly instructions?: string | undefined
  readonly contextBlocks?: ReadonlyArray<ContextBlock> | undefined
  readonly when: "first_turn" | "every_turn" | "on_input"
  predicate?(context: InstructionInjectorContext): boolean
}
/** `input` and `history` hold no known secret. */
export interface InstructionInjectorContext extends AssemblyContext {
  readonly input: AgentInput
  readonly history: ReadonlyArray<Message>
}
export interface InstructionInjector {
  readonly name: string
  readonly description?: string | undefined
  apply(context: InstructionInjectorContext): HostValue<InstructionInjection | undefined>
}
