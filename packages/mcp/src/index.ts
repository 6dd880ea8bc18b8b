/** The public names. */
export type { McpToolAdmission } from "./admission.ts"
export { attachMcpToolBridge, connectMcpTools } from "./connectMcpTools.ts"
export type { McpToolBridge } from "./connectMcpTools.ts"
export { createMcpToolRegistry } from "./createMcpToolRegistry.ts"
export type { McpToolRegistryOptions } from "./createMcpToolRegistry.ts"
export { mapMcpContentToBlocks } from "./content.ts"
export type { MappedContent } from "./content.ts"
export { McpAuthorizationError } from "./errors/McpAuthorizationError.ts"
export { McpBridgeClosedError } from "./errors/McpBridgeClosedError.ts"
export { McpBridgeError } from "./errors/McpBridgeError.ts"
export { McpRequestError } from "./errors/McpRequestError.ts"
export { McpToolNameCollisionError } from "./errors/McpToolNameCollisionError.ts"
export { listAllMcpTools } from "./listTools.ts"
export type { McpEvent, McpEventListener } from "./McpEvent.ts"
export type { ConnectMcpToolsOptions, McpBridgeOptions } from "./McpOptions.ts"
export { McpTools } from "./McpTools.ts"
export type { McpHealth, McpToolSet } from "./McpTools.ts"
export type {
  McpOAuth,
  McpOAuthClientInformation,
  McpOAuthClientMetadata,
  McpOAuthContext,
  McpOAuthProvider,
  McpOAuthTokens
} from "./oauth/McpOAuth.ts"
export type { Client, RemoteTool, RequestOptions, ResultSchema, Transport } from "./Remote.ts"
export type { McpElicitation, McpElicitationOptions, McpSampling } from "./serverRequests.ts"
export { defaultMcpNamePrefix, formatMcpToolName } from "./toolNames.ts"
export { createMcpTransport } from "./transports/createMcpTransport.ts"
export type { McpTransport } from "./transports/createMcpTransport.ts"
export type { McpStdioTransport } from "./transports/stdio.ts"
export type { McpStreamableHttpTransport } from "./transports/streamableHttp.ts"
