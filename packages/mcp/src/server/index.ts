/** The public names of `@arnilo/prism-mcp/server`. */
export { McpBridgeError } from "../errors/McpBridgeError.ts"
export type { McpHttpHandler, McpHttpHandlerOptions } from "./createHttpEndpoint.ts"
export { createPrismMcpServer } from "./createPrismMcpServer.ts"
export type { PrismMcpServer, PrismMcpServerOptions } from "./createPrismMcpServer.ts"
export type { DispatchGates } from "./ExposedTools.ts"
export type { McpPrincipal } from "./httpGuard.ts"
export type { ServerTransport } from "./sdk.ts"
export { toNodeListener } from "./toNodeListener.ts"
