/** How a remote tool is called in Prism. */
import { McpBridgeError } from "./errors/McpBridgeError.ts"

const SERVER_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** Control characters, line separators and bidi controls: what could make a name look like another. */
const DECEPTIVE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Throws `McpBridgeError` for an id that could make the prefixes of two servers nest. */
export const assertServerId = (serverId: unknown): void => {
  if (typeof serverId === "string" && SERVER_ID.test(serverId)) return
  throw new McpBridgeError(
    "serverId must be a non-empty identifier (letters, digits, ., _, -; must not start with . or -)"
  )
}

/** Throws `McpBridgeError` for a prefix that is no text or holds characters that no tool name may hold. */
export const assertNamePrefix = (prefix: unknown): void => {
  if (typeof prefix === "string" && !DECEPTIVE.test(prefix)) return
  throw new McpBridgeError("namePrefix must be a string without control characters")
}

/** `mcp:<serverId>:`. */
export const defaultMcpNamePrefix = (serverId: string): string => `mcp:${serverId}:`

/** The remote name is kept verbatim behind the prefix. */
export const formatMcpToolName = (prefix: string, remoteName: string): string => `${prefix}${remoteName}`

/** Why a name is refused; nothing where it is fine. */
export const toolNameFault = (remoteName: string, maxBytes: number): string | undefined => {
  if (remoteName === "") return "name is empty"
  if (DECEPTIVE.test(remoteName)) return "name contains control or direction characters"
  if (Buffer.byteLength(remoteName) > maxBytes) return `name exceeds ${maxBytes} bytes`
  return undefined
}
