import { McpBridgeError } from "./McpBridgeError.ts"

/** The bridge was closed, by its host or after a call that failed with `onCallFailure: "close"`. */
export class McpBridgeClosedError extends McpBridgeError {
  override readonly _tag = "McpBridgeClosedError"
  override readonly code = "ERR_PRISM_MCP_CLOSED"
  override readonly name = "McpBridgeClosedError"

  constructor() {
    super("MCP bridge is closed")
  }
}
