/** The public names of `@arnilo/prism-mcp/server`. */
export { McpBridgeError } from "../errors/McpBridgeError.ts"
export type { McpHttpHandler, McpHttpHandlerOptions, McpPrincipal } from "./createHttpHandler.ts"
export { createPrismMcpServer } from "./createPrismMcpServer.ts"
export type { PrismMcpServer, PrismMcpServerOptions } from "./createPrismMcpServer.ts"
export type { DispatchGates } from "./ExposedTools.ts"
export type { ServerTransport } from "./sdk.ts"
