/** From a configuration to a transport that is not started yet. */
import { assertOneOf, checkFields } from "../checkFields.ts"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { type McpStdioTransport, STDIO_FIELDS, StdioChannel } from "./stdio.ts"
import type { HttpChannel } from "./HttpChannel.ts"
import { createStreamableHttp, HTTP_FIELDS, type McpStreamableHttpTransport } from "./streamableHttp.ts"

export type McpTransport = McpStdioTransport | McpStreamableHttpTransport

/** Throws `McpBridgeError` for a configuration that is refused. Nothing is started or sent yet. */
export const createMcpTransport = (config: McpTransport): StdioChannel | HttpChannel => {
  const type: unknown = config?.type
  if (type === "streamable-http") {
    checkFields("transport", config, HTTP_FIELDS)
    return createStreamableHttp(config as McpStreamableHttpTransport)
  }
  if (type !== "stdio") {
    throw new McpBridgeError(`Unknown MCP transport type: ${String(type)}; it may be "stdio" or "streamable-http"`)
  }
  checkFields("transport", config, STDIO_FIELDS)
  const { args, command, stderr } = config as McpStdioTransport
  if (typeof command !== "string" || command === "") {
    throw new McpBridgeError("command must be a non-empty string")
  }
  if (args !== undefined && !(Array.isArray(args) && args.every((arg) => typeof arg === "string"))) {
    throw new McpBridgeError("args must be a list of strings")
  }
  assertOneOf("transport.stderr", stderr, ["inherit", "pipe", "ignore", "overlapped"])
  return new StdioChannel(config as McpStdioTransport)
}
