/** Whatever was thrown, as an error; of a connection that is gone, what is known of its end. */
import { McpBridgeError } from "./errors/McpBridgeError.ts"
import { isConnectionClosed } from "./sdk.ts"

export const asError = (thrown: unknown, lostReason?: string): Error => {
  if (lostReason !== undefined && isConnectionClosed(thrown)) return new McpBridgeError(lostReason, { cause: thrown })
  return thrown instanceof Error ? thrown : new McpBridgeError(String(thrown))
}
