import { McpBridgeError } from "./McpBridgeError.ts"

/** A response body was longer than `maxResponseBytes`. Not exported: callers see its message. */
export class OversizedResponseError extends McpBridgeError {
  constructor(maxBytes: number) {
    super(`MCP HTTP response exceeds ${maxBytes} bytes`)
  }
}
