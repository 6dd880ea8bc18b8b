/** The public names of the kernel. Schema values are at `./schema`, the Effect-native session at `./session`. */
export { makeAgent } from "./agent/Agent.ts"
export type { Agent } from "./agent/Agent.ts"
export { ApprovalGate } from "./approval/ApprovalGate.ts"
export type { ApprovalOptions, AskOptions } from "./approval/ApprovalGate.ts"
export { EventBroadcaster } from "./broadcast/EventBroadcaster.ts"
export type { EventHub } from "./broadcast/EventBroadcaster.ts"
export type { Ending } from "./broadcast/Subscription.ts"
export { dispatchAlone as dispatchToolCall } from "./dispatch/dispatchAlone.ts"
export type { DispatchToolCallOptions } from "./dispatch/dispatchAlone.ts"
export { dispatchToolCallsInOrder, toolMessage } from "./dispatch/dispatchToolCallsInOrder.ts"
export { resolveToolConcurrency } from "./dispatch/resolveToolConcurrency.ts"
export { ToolPool } from "./dispatch/ToolPool.ts"
export { AgentRunError } from "./errors/AgentRunError.ts"
export { ExecutionDeniedError } from "./errors/ExecutionDeniedError.ts"
export { LedgerError } from "./errors/LedgerError.ts"
export { LimitError } from "./errors/LimitError.ts"
export { PermissionDeniedError } from "./errors/PermissionDeniedError.ts"
export { ProviderError } from "./errors/ProviderError.ts"
export { RunLimitError } from "./errors/RunLimitError.ts"
export { SchemaRejectedError } from "./errors/SchemaRejectedError.ts"
export { SessionAppendConflictError, isSessionAppendConflict } from "./errors/SessionAppendConflictError.ts"
export { StoreError } from "./errors/StoreError.ts"
export { StructuredOutputError } from "./errors/StructuredOutputError.ts"
export { ToolArgumentsError } from "./errors/ToolArgumentsError.ts"
export { ToolResultError } from "./errors/ToolResultError.ts"
export { ToolTimeoutError } from "./errors/ToolTimeoutError.ts"
export { TrustDeniedError } from "./errors/TrustDeniedError.ts"
export { UnsupportedModalityError } from "./errors/UnsupportedModalityError.ts"
export type { AgentEvent } from "./events/AgentEvent.ts"
export type { SubscriberOverflowPolicy } from "./events/SessionEvents.ts"
export type { ToolBlockedReason } from "./events/ToolEvents.ts"
export type { ProviderTurnMetadata } from "./events/TurnEvents.ts"
export { assembleProviderInput } from "./input/assembleInput.ts"
export type { AssembledInput, ProviderInputParts } from "./input/assembleInput.ts"
export { resolveInstructionInjectors, runInstructionInjectors } from "./input/instructionInjection.ts"
export type { InjectedInstructions, ResolveInstructionInjectorsOptions } from "./input/instructionInjection.ts"
export { createDefaultInputBuilder, createDefaultPromptBuilder } from "./input/layouts.ts"
export type { AttachmentSource } from "./input/layouts.ts"
export { renderPromptTemplate } from "./input/promptTemplate.ts"
export type { PromptTemplateOptions } from "./input/promptTemplate.ts"
export { providerView } from "./input/providerView.ts"
export { createSkillRegistry, resolveActiveSkills } from "./input/skills.ts"
export type { ResolveActiveSkillsOptions } from "./input/skills.ts"
export { composeSystemPrompt } from "./input/systemPrompt.ts"
export type { SystemPromptOption } from "./input/systemPrompt.ts"
export { layerDefaults } from "./layer.ts"
export { isAgentLoopOptions, resolveLoop } from "./loop/resolveLoop.ts"
export { singleShotLoop } from "./loop/singleShot.ts"
export { createMiddlewareRegistry } from "./middleware/Middleware.ts"
export type { MiddlewareRegistryOptions } from "./middleware/Middleware.ts"
export type {
  AgentConfig,
  AgentPort,
  AgentSessionConfig,
  AgentSessionPort,
  RunLimitsInput,
  RunOptions,
  SubscribeOptions
} from "./ports/AgentPort.ts"
export type {
  AIProvider,
  ProviderRequest,
  ProviderRequestPolicy,
  ProviderRequestPolicyContext,
  ProviderRequestPolicyResult,
  ProviderResolver,
  ProviderTurnResult,
  RetryContext,
  RetryDecision,
  RetryOptions,
  RetryPolicy
} from "./ports/AIProvider.ts"
export type { ApprovalDecision, ApprovalPrompt, ApprovalRequest } from "./ports/Approval.ts"
export type {
  Credential,
  CredentialRecord,
  CredentialRequest,
  CredentialResolver,
  CredentialValueSource,
  MemoryCredentialStore,
  OAuthCredentialStore,
  OAuthCredentials,
  OAuthProvider,
  SettingsProvider
} from "./ports/Credentials.ts"
export type { HostValue } from "./ports/HostValue.ts"
export type {
  AgentInput,
  AssemblyContext,
  Attachment,
  ContextProvider,
  InputBuilder,
  InputLayout,
  InputParts,
  InstructionInjection,
  InstructionInjector,
  InstructionInjectorContext,
  LoadedResource,
  PromptBuilder,
  PromptParts,
  ResourceLoader,
  Skill,
  SkillRegistry,
  SystemPromptLayer
} from "./ports/Input.ts"
export type { RegistryOptions } from "./ports/KeyedRegistry.ts"
export type {
  AgentLoopOptions,
  AgentLoopStrategy,
  ArtifactContext,
  ArtifactParseResult,
  ArtifactParser,
  ArtifactRepairer,
  ArtifactValidator,
  LoopContext,
  ToolBatch,
  ToolPoolPort
} from "./ports/LoopStrategy.ts"
export type { Middleware, MiddlewareErrorEvent, MiddlewareHook, MiddlewareRegistry } from "./ports/MiddlewarePort.ts"
export type {
  ExecutionAction,
  ExecutionDecision,
  ExecutionPolicy,
  PermissionDecision,
  PermissionPolicy,
  PermissionRequest,
  TrustDecision,
  TrustPolicy,
  TrustRequest
} from "./ports/Policies.ts"
export type { SecretRedactor, Secrets } from "./ports/Redaction.ts"
export type { RunLedgerPort } from "./ports/RunLedgerPort.ts"
export type {
  BranchPathQuery,
  PersistencePage,
  SessionAppendOptions,
  SessionStorePort
} from "./ports/SessionStorePort.ts"
export { toPromise } from "./ports/toPromise.ts"
export type {
  ToolArgumentValidationError,
  ToolArgumentValidationResult,
  ToolArgumentValidator,
  ToolDefinition,
  ToolExecutionContext,
  ToolFilter,
  ToolRegistry,
  ToolValidator
} from "./ports/ToolDefinition.ts"
export { createMockProvider } from "./provider/MockProvider.ts"
export type { MockProviderOptions } from "./provider/MockProvider.ts"
export { createModelRegistry } from "./provider/ModelRegistry.ts"
export type { ModelRegistry } from "./provider/ModelRegistry.ts"
export { Provider } from "./provider/Provider.ts"
export { createProviderRegistry, createProviderResolver } from "./provider/ProviderRegistry.ts"
export type { ProviderRegistry } from "./provider/ProviderRegistry.ts"
export {
  providerContentDelta,
  providerDone,
  providerError,
  providerTextDelta,
  providerThinkingDelta,
  providerToolCall,
  providerToolCallDelta,
  providerUsage,
  toolCallContent
} from "./provider/providerEvents.ts"
export { createSessionCachePolicy, mergeProviderRequestOptions } from "./provider/RequestPolicy.ts"
export type { SessionCachePolicyOptions } from "./provider/RequestPolicy.ts"
export { createRetryPolicy } from "./provider/RetryPolicy.ts"
export { toolCallFromArgumentsText } from "./provider/toolArguments.ts"
export type { AgentRunResult } from "./records/AgentRunResult.ts"
export type {
  AgentEventRecord,
  RunRecord,
  RunStatus,
  ToolCallRecord,
  ToolCallStatus,
  UsageRecord
} from "./records/LedgerRecords.ts"
export type { SessionEntry, SessionEntryKind } from "./records/SessionEntry.ts"
export type { ArtifactValidation } from "./schema/Artifact.ts"
export type {
  AudioContent,
  ContentBlock,
  DocumentContent,
  FileContent,
  ImageContent,
  TextContent,
  ThinkingContent,
  ToolCallContent,
  ToolCallDeltaContent,
  ToolResultContent
} from "./schema/Content.ts"
export type { ErrorInfo } from "./schema/ErrorInfo.ts"
export type { JsonObject, JsonValue, Metadata } from "./schema/Json.ts"
export type { Message } from "./schema/Message.ts"
export type { ModelConfig } from "./schema/Model.ts"
export type { OwnershipScope } from "./schema/Ownership.ts"
export type { ProviderEvent } from "./schema/ProviderEvent.ts"
export type {
  CacheBreakpoint,
  CacheRetention,
  ContextBlock,
  ProviderRequestOptions,
  StructuredOutputOptions
} from "./schema/ProviderRequest.ts"
export type { ToolResult } from "./schema/ToolResult.ts"
export type { Usage } from "./schema/Usage.ts"
export {
  createChainedCredentialResolver,
  createChainedSettingsProvider,
  createEnvCredentialResolver,
  createExplicitCredentialResolver,
  createMemoryCredentialStore,
  createStaticSettingsProvider,
  refreshOAuthCredential,
  resolveCredentialValue
} from "./security/Credentials.ts"
export { assertExecutionAllowed, checkExecution, Execution, requireExecution } from "./security/Execution.ts"
export { assertJsonObject, isJsonObject } from "./security/json.ts"
export { assertPermission, checkPermission, createStaticPermissionPolicy, Permission } from "./security/Permission.ts"
export {
  createSecretRedactor,
  errorToErrorInfo,
  redactAgentEvent,
  redactMessage,
  redactProviderRequest,
  redactRunLedgerRecord,
  redactSecrets,
  redactSessionEntry,
  resolveRedactor
} from "./security/Redactor.ts"
export { assertTrusted, createStaticTrustPolicy, isTrusted, Trust } from "./security/Trust.ts"
export { openSession } from "./session/openSession.ts"
export type { Session } from "./session/Session.ts"
export type { CompactionEntryData } from "./store/branchContext.ts"
export { getSessionBranchEntries, listSessionBranches, rebuildSessionContext } from "./store/branches.ts"
export type {
  SessionBranch,
  SessionBranchOptions,
  SessionBranchQuery,
  SessionBranchReader,
  SessionContext
} from "./store/branches.ts"
export { createSessionEntry } from "./store/createSessionEntry.ts"
export type { NewSessionEntry } from "./store/createSessionEntry.ts"
export { createMemorySessionStore } from "./store/memory/MemorySessionStore.ts"
export type { MemorySessionStore } from "./store/memory/MemorySessionStore.ts"
export { RunLedger } from "./store/RunLedger.ts"
export { SessionStore } from "./store/SessionStore.ts"
export { createToolParameterValidator } from "./validation/ToolParameterValidator.ts"
export type { ToolParameterValidatorOptions } from "./validation/ToolParameterValidator.ts"
export { createToolRegistry, filterTools } from "./tool/ToolRegistry.ts"
export { Tools } from "./tool/Tools.ts"
