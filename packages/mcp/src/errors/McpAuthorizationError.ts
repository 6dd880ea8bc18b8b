import { McpBridgeError } from "./McpBridgeError.ts"

/**
 * A server that asks for a login could not be satisfied. The message says why, in words of ours: nothing that a server sent,
 * no token, code or secret is in it. `cause` is what the host's own provider threw, or the system, where one of them did.
 */
export class McpAuthorizationError extends McpBridgeError {
  override readonly _tag = "McpAuthorizationError"
  override readonly code = "ERR_PRISM_MCP_AUTHORIZATION"
  override readonly name = "McpAuthorizationError"
}
