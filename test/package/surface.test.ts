import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { repository } from "./imports.ts"
import { CODING_AGENT, CODING_LIMITS, CODING_SECURITY, MCP } from "./exportedNames.ts"

const manifest = (
  name: string
): { readonly exports: object; readonly dependencies: object; readonly engines: object } =>
  JSON.parse(readFileSync(join(repository, "packages", name, "package.json"), "utf8"))

const names = async (entry: string): Promise<ReadonlyArray<string>> =>
  Object.keys((await import(entry)) as object).toSorted()

describe("@arnilo/prism-core", () => {
  it("has these entries", () => {
    assert.deepStrictEqual(Object.keys(manifest("core").exports), CORE_ENTRIES)
  })

  it("depends on effect alone", () => {
    assert.deepStrictEqual(manifest("core").dependencies, { effect: "4.1.0" })
  })

  it("exports these names", async () => {
    assert.deepStrictEqual(await names("@arnilo/prism-core"), CORE)
  })

  it("exports these names from its subpaths", async () => {
    assert.deepStrictEqual(await names("@arnilo/prism-core/session"), ["AgentSession"])
    assert.deepStrictEqual(await names("@arnilo/prism-core/schema"), SCHEMA)
    assert.deepStrictEqual(await names("@arnilo/prism-core/testing"), TESTING)
    assert.deepStrictEqual(await names("@arnilo/prism-core/tool"), ["define"])
    assert.deepStrictEqual(await names("@arnilo/prism-core/validation/json-schema"), [
      "JsonSchemaValidator",
      "SchemaRejectedError",
      "createJsonSchemaArgumentCoercion",
      "createJsonSchemaArgumentValidator",
      "createJsonSchemaToolArgumentValidator"
    ])
    assert.deepStrictEqual(await names("@arnilo/prism-core/providers/openai-compatible"), [
      "createOpenAICompatibleProvider",
      "layer"
    ])
  })
})

describe("@arnilo/prism", () => {
  it("has these entries", () => {
    assert.deepStrictEqual(Object.keys(manifest("prism").exports), PRISM_ENTRIES)
  })

  it("depends on core and effect", () => {
    assert.deepStrictEqual(manifest("prism").dependencies, {
      "@arnilo/prism-core": "0.0.0",
      effect: "4.1.0"
    })
  })

  it("exports these names", async () => {
    assert.deepStrictEqual(await names("@arnilo/prism"), PRISM)
  })

  it("exports these names from its subpaths", async () => {
    assert.deepStrictEqual(await names("@arnilo/prism/providers/openai-compatible"), ["createOpenAICompatibleProvider"])
    assert.deepStrictEqual(await names("@arnilo/prism/testing/tool-conformance"), [
      "assertToolBlocked",
      "assertToolDispatchConforms",
      "dispatchAndCollect"
    ])
  })
})

describe("@arnilo/prism-mcp", () => {
  it("has these entries", () => {
    assert.deepStrictEqual(Object.keys(manifest("mcp").exports), [".", "./server", "./package.json"])
  })

  it("depends on core, effect and the official SDK", () => {
    assert.deepStrictEqual(manifest("mcp").dependencies, {
      "@arnilo/prism-core": "0.0.0",
      "@modelcontextprotocol/client": "2.4.0",
      "@modelcontextprotocol/server": "2.4.0",
      effect: "4.1.0"
    })
  })

  it("exports these names", async () => {
    assert.deepStrictEqual(await names("@arnilo/prism-mcp"), MCP)
    assert.deepStrictEqual(await names("@arnilo/prism-mcp/server"), [
      "McpBridgeError",
      "createPrismMcpServer",
      "toNodeListener"
    ])
  })
})

describe("@arnilo/prism-coding-tools", () => {
  it("has these entries", () => {
    assert.deepStrictEqual(Object.keys(manifest("coding-tools").exports), ["./agent", "./security", "./package.json"])
  })

  it("depends on core, effect, a differ and a parser", () => {
    assert.deepStrictEqual(manifest("coding-tools").dependencies, {
      "@arnilo/prism-core": "0.0.0",
      diff: "9.0.0",
      effect: "4.1.0",
      unbash: "6.0.4"
    })
  })

  it("exports these names", async () => {
    assert.deepStrictEqual(await names("@arnilo/prism-coding-tools/agent"), CODING_AGENT)
    assert.deepStrictEqual(await names("@arnilo/prism-coding-tools/security"), CODING_SECURITY)
  })

  it("CT1: has these defaults and hard caps", async () => {
    const agent: Readonly<Record<string, unknown>> = await import("@arnilo/prism-coding-tools/agent")
    const limits = Object.entries(agent).filter(([name]) => /^(?:DEFAULT|HARD)_/.test(name))
    assert.deepStrictEqual(Object.fromEntries(limits), CODING_LIMITS)
  })
})

const CORE_ENTRIES = [
  ".",
  "./schema",
  "./session",
  "./tool",
  "./validation/json-schema",
  "./testing",
  "./providers/openai-compatible",
  "./package.json"
]

const PRISM_ENTRIES = [".", "./providers/openai-compatible", "./testing/tool-conformance", "./cli", "./package.json"]

const SCHEMA = [
  "AgentEvent",
  "AgentEventRecord",
  "AgentRunResult",
  "ArtifactValidation",
  "ContentBlock",
  "ContextBlock",
  "ErrorInfo",
  "JsonObject",
  "JsonValue",
  "Message",
  "Metadata",
  "ModelConfig",
  "OwnershipScope",
  "ProviderEvent",
  "ProviderRequestOptions",
  "RunRecord",
  "SessionEntry",
  "StructuredOutputOptions",
  "ToolCallContent",
  "ToolCallRecord",
  "ToolResult",
  "ToolResultContent",
  "Usage",
  "UsageRecord",
  "fromJsonSchema",
  "toEffectSchema"
]

const TESTING = ["assertToolBlocked", "assertToolDispatchConforms", "createScriptedProvider", "dispatchAndCollect"]

const CORE = [
  "AgentRunError",
  "ApprovalGate",
  "EventBroadcaster",
  "Execution",
  "ExecutionDeniedError",
  "LedgerError",
  "LimitError",
  "Permission",
  "PermissionDeniedError",
  "Provider",
  "ProviderError",
  "RunLedger",
  "RunLimitError",
  "SchemaRejectedError",
  "SessionAppendConflictError",
  "SessionStore",
  "StoreError",
  "StructuredOutputError",
  "ToolArgumentsError",
  "ToolPool",
  "ToolResultError",
  "ToolTimeoutError",
  "Tools",
  "Trust",
  "TrustDeniedError",
  "UnsupportedModalityError",
  "assembleProviderInput",
  "assertExecutionAllowed",
  "assertJsonObject",
  "assertPermission",
  "assertTrusted",
  "checkExecution",
  "checkPermission",
  "composeSystemPrompt",
  "createChainedCredentialResolver",
  "createChainedSettingsProvider",
  "createDefaultInputBuilder",
  "createDefaultPromptBuilder",
  "createEnvCredentialResolver",
  "createExplicitCredentialResolver",
  "createMemoryCredentialStore",
  "createMemorySessionStore",
  "createMiddlewareRegistry",
  "createMockProvider",
  "createModelRegistry",
  "createProviderRegistry",
  "createProviderResolver",
  "createRetryPolicy",
  "createSecretRedactor",
  "createSessionCachePolicy",
  "createSessionEntry",
  "createSkillRegistry",
  "createStaticPermissionPolicy",
  "createStaticSettingsProvider",
  "createStaticTrustPolicy",
  "createToolParameterValidator",
  "createToolRegistry",
  "dispatchToolCall",
  "dispatchToolCallsInOrder",
  "errorToErrorInfo",
  "filterTools",
  "getSessionBranchEntries",
  "isAgentLoopOptions",
  "isJsonObject",
  "isSessionAppendConflict",
  "isTrusted",
  "layerDefaults",
  "listSessionBranches",
  "makeAgent",
  "mergeProviderRequestOptions",
  "openSession",
  "providerContentDelta",
  "providerDone",
  "providerError",
  "providerTextDelta",
  "providerThinkingDelta",
  "providerToolCall",
  "providerToolCallDelta",
  "providerUsage",
  "providerView",
  "rebuildSessionContext",
  "redactAgentEvent",
  "redactMessage",
  "redactProviderRequest",
  "redactRunLedgerRecord",
  "redactSecrets",
  "redactSessionEntry",
  "refreshOAuthCredential",
  "renderPromptTemplate",
  "requireExecution",
  "resolveActiveSkills",
  "resolveCredentialValue",
  "resolveInstructionInjectors",
  "resolveLoop",
  "resolveRedactor",
  "resolveToolConcurrency",
  "runInstructionInjectors",
  "singleShotLoop",
  "toPromise",
  "toolCallContent",
  "toolCallFromArgumentsText",
  "toolMessage"
]

const PRISM = [
  "AgentRunError",
  "ExecutionDeniedError",
  "LedgerError",
  "LimitError",
  "PermissionDeniedError",
  "ProviderError",
  "RunLimitError",
  "SessionAppendConflictError",
  "StoreError",
  "StructuredOutputError",
  "ToolResultError",
  "ToolTimeoutError",
  "TrustDeniedError",
  "UnsupportedModalityError",
  "assembleProviderInput",
  "assertExecutionAllowed",
  "assertJsonObject",
  "assertPermission",
  "assertTrusted",
  "checkExecution",
  "checkPermission",
  "composeSystemPrompt",
  "createAgent",
  "createAgentSession",
  "createApprovalGate",
  "createChainedCredentialResolver",
  "createChainedSettingsProvider",
  "createDefaultInputBuilder",
  "createDefaultPromptBuilder",
  "createEnvCredentialResolver",
  "createExplicitCredentialResolver",
  "createMemoryCredentialStore",
  "createMemorySessionStore",
  "createMiddlewareRegistry",
  "createMockProvider",
  "createModelRegistry",
  "createProviderRegistry",
  "createProviderResolver",
  "createRetryPolicy",
  "createSecretRedactor",
  "createSessionCachePolicy",
  "createSessionEntry",
  "createSkillRegistry",
  "createStaticPermissionPolicy",
  "createStaticSettingsProvider",
  "createStaticTrustPolicy",
  "createToolParameterValidator",
  "createToolRegistry",
  "dispatchToolCall",
  "dispatchToolCallsInOrder",
  "errorToErrorInfo",
  "filterTools",
  "getSessionBranchEntries",
  "isAgentLoopOptions",
  "isJsonObject",
  "isSessionAppendConflict",
  "isTrusted",
  "listSessionBranches",
  "mergeProviderRequestOptions",
  "providerContentDelta",
  "providerDone",
  "providerError",
  "providerTextDelta",
  "providerThinkingDelta",
  "providerToolCall",
  "providerToolCallDelta",
  "providerUsage",
  "providerView",
  "rebuildSessionContext",
  "redactAgentEvent",
  "redactMessage",
  "redactProviderRequest",
  "redactRunLedgerRecord",
  "redactSecrets",
  "redactSessionEntry",
  "refreshOAuthCredential",
  "renderPromptTemplate",
  "resolveActiveSkills",
  "resolveCredentialValue",
  "resolveInstructionInjectors",
  "resolveLoop",
  "resolveRedactor",
  "resolveToolConcurrency",
  "runInstructionInjectors",
  "singleShotLoop",
  "toolCallContent",
  "toolCallFromArgumentsText"
]
