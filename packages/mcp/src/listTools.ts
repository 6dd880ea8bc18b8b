/** Every page of `tools/list`, within bounds. */
import { McpBridgeError } from "./errors/McpBridgeError.ts"
import type { McpLimitOptions, McpLimitValues } from "./McpLimits.ts"
import { resolveMcpLimits } from "./resolveLimits.ts"
import { measureJson } from "./measureJson.ts"
import type { Client, RemoteTool } from "./Remote.ts"
import { asReceived } from "./sdk.ts"

/**
 * All tools of a server, as it lists them. Rejects with `McpBridgeError` on too many pages, tools or schema bytes, on a
 * cursor that is too long or comes twice, and on a page that is none; then nothing more is requested. Each page has
 * `callTimeoutMs`. Whether one tool can be used is for `admitTool` to say.
 */
export const listAllMcpTools = async (
  client: Client,
  signal?: AbortSignal,
  limits: McpLimitOptions = {}
): Promise<Array<RemoteTool>> => {
  const bounds = resolveMcpLimits(limits)
  const tools: Array<RemoteTool> = []
  const cursors = new Set<string>()
  let schemaBytes = 0
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    // One page names the next.
    // oxlint-disable-next-line no-await-in-loop
    const { listed, next } = await readPage(client, cursor, bounds, signal)
    if (tools.length + listed.length > bounds.maxTools) throw exceeded(`${bounds.maxTools} tools`)
    for (const tool of listed) {
      schemaBytes += schemaBytesOf(tool, bounds)
      if (schemaBytes > bounds.maxTotalToolSchemaBytes) throw exceeded(`${bounds.maxTotalToolSchemaBytes} schema bytes`)
      tools.push(tool)
    }
    if (next === "") return tools
    if (Buffer.byteLength(next) > bounds.maxCursorBytes) throw exceeded(`${bounds.maxCursorBytes} cursor bytes`)
    if (cursors.has(next)) throw new McpBridgeError("MCP tools/list repeated a pagination cursor")
    if (page >= bounds.maxListPages) throw exceeded(`${bounds.maxListPages} pages`)
    cursors.add(next)
    cursor = next
  }
}

const exceeded = (what: string): McpBridgeError => new McpBridgeError(`MCP tools/list exceeds ${what}`)

const readPage = async (
  client: Client,
  cursor: string | undefined,
  { callTimeoutMs }: McpLimitValues,
  signal: AbortSignal | undefined
): Promise<{ readonly listed: ReadonlyArray<RemoteTool>; readonly next: string }> => {
  const page = await client.request(
    { method: "tools/list", ...(cursor === undefined ? undefined : { params: { cursor } }) },
    asReceived,
    { timeout: callTimeoutMs, ...(signal === undefined ? undefined : { signal }) }
  )
  const { nextCursor, tools } = (page ?? {}) as { readonly tools?: unknown; readonly nextCursor?: unknown }
  if (!Array.isArray(tools)) throw new McpBridgeError("MCP tools/list returned no list of tools")
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== "string") {
    throw new McpBridgeError("MCP tools/list returned a pagination cursor that is no string")
  }
  // What a tool really is, `admitTool` finds out.
  return { listed: tools as ReadonlyArray<RemoteTool>, next: nextCursor ?? "" }
}

/** As far as they can be measured: a schema that is refused for its depth counts with what lies above. */
const schemaBytesOf = (tool: RemoteTool, { maxJsonDepth, maxJsonProperties, ...bounds }: McpLimitValues): number => {
  const { inputSchema, outputSchema } = (tool ?? {}) as Partial<RemoteTool>
  let bytes = 0
  for (const schema of [inputSchema, outputSchema]) {
    if (schema === undefined) continue
    const measured = measureJson(schema, {
      maxBytes: bounds.maxTotalToolSchemaBytes,
      maxDepth: maxJsonDepth,
      maxProperties: maxJsonProperties
    })
    if (typeof measured === "number") bytes += measured
    else if (measured.kind === "bytes") return Number.POSITIVE_INFINITY
  }
  return bytes
}
