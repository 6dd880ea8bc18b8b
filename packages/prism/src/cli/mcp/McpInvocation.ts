/** `prism mcp …`, read. */
export interface McpInvocation {
  readonly action: "list" | "call" | "check"
  /** Path of the module or JSON file with the options of the connection, as given. */
  readonly config: string
  /** Name of the tool to call, as Prism or as the server says it. */
  readonly tool?: string | undefined
  /** JSON text of the arguments, or `-` for stdin. */
  readonly args?: string | undefined
  /** One JSON document on stdout instead of text. */
  readonly json: boolean
  /** Of connecting, of each page of the list and of the call; in place of what the config says. */
  readonly timeoutMs?: number | undefined
}

/** Another program than an agent's run. */
export interface McpCommand {
  readonly mcp: McpInvocation
}
