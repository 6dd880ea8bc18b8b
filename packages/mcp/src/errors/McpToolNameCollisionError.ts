import { McpBridgeError } from "./McpBridgeError.ts"

/** A server listed two tools under one name; the whole listing is refused. */
export class McpToolNameCollisionError extends McpBridgeError {
  override readonly _tag = "McpToolNameCollisionError"
  override readonly code = "ERR_PRISM_MCP_NAME_COLLISION"
  override readonly name = "McpToolNameCollisionError"
  readonly prefixedName: string
  readonly remoteName: string

  constructor(prefixedName: string, remoteName: string) {
    super(`Two MCP tools map to the name ${prefixedName}`)
    this.prefixedName = prefixedName
    this.remoteName = remoteName
  }
}
