/** A bridge was configured wrong, could not be opened, or a listing was refused. The message says which. */
export class McpBridgeError extends Error {
  readonly _tag: string = "McpBridgeError"
  readonly code: string = "ERR_PRISM_MCP_BRIDGE"
  override readonly name: string = "McpBridgeError"
}
