/** Whatever was thrown, as an error of the bridge; of a connection that is gone, what is known of its end. */
import { McpBridgeError } from "./errors/McpBridgeError.ts"
import { McpRequestError } from "./errors/McpRequestError.ts"
import { answerProblem, isConnectionClosed, isNegotiationOver } from "./sdk.ts"

export const toBridgeError = (thrown: unknown, lostReason?: string): McpBridgeError => {
  if (lostReason !== undefined && isConnectionClosed(thrown)) return new McpBridgeError(lostReason, { cause: thrown })
  if (thrown instanceof McpBridgeError) return thrown
  const { cause } = Object(thrown) as { readonly cause?: unknown }
  // The SDK puts an error of its own around what a transport of ours failed with.
  if (isNegotiationOver(thrown) && cause instanceof McpBridgeError) return cause
  const message = answerProblem(thrown)
  return message === undefined ? new McpRequestError(thrown) : new McpBridgeError(message, { cause: thrown })
}

/** What was thrown, again. */
export const originalError = (error: unknown): unknown => (error instanceof McpRequestError ? error.cause : error)
