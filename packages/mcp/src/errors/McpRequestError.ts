import { McpBridgeError } from "./McpBridgeError.ts"

/** What the official SDK or the operating system failed with, as `cause`. The Promise bridge rejects with the cause itself. */
export class McpRequestError extends McpBridgeError {
  override readonly _tag = "McpRequestError"
  override readonly code = "ERR_PRISM_MCP_REQUEST"
  override readonly name = "McpRequestError"

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
