/** The client that the MCP conformance suite drives: `connectMcpTools` against the server at the URL in the last argument. */
import { ApprovalGate, type JsonObject, type ToolResult } from "@arnilo/prism-core"
import { connectMcpTools, McpAuthorizationError, type McpToolBridge } from "@arnilo/prism-mcp"
import { readLogin } from "./conformanceLogin.ts"

const url = process.argv.at(-1) ?? ""
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? ""
const login = readLogin(scenario, process.env["MCP_CONFORMANCE_CONTEXT"])

const connect = (allowedOrigins: ReadonlyArray<string>): Promise<McpToolBridge> =>
  connectMcpTools({
    serverId: "conformance",
    transport: {
      type: "streamable-http",
      url,
      allowedOrigins: [new URL(url).origin],
      allowLoopbackHttp: true,
      ...(login !== undefined && { oauth: { ...login, allowedOrigins } })
    },
    elicitation: { approval: ApprovalGate.make({ prompt: () => true }) }
  })

/** As a person would who reads which authorization server is refused, and allows it: its port is not known before. */
const connectAllowing = async (): Promise<McpToolBridge> => {
  const own = new URL(url).origin
  try {
    return await connect([own])
  } catch (error) {
    const [, origin] = /origin (\S+) is not in oauth.allowedOrigins/.exec((error as Error).message) ?? []
    if (!(error instanceof McpAuthorizationError) || origin === undefined) throw error
    return connect([own, origin])
  }
}

const bridge = await connectAllowing()
const context = { sessionId: "s", runId: "r", toolCallId: "c" }
for (const tool of bridge.tools) {
  const properties = (tool.parameters?.["properties"] ?? {}) as Readonly<Record<string, unknown>>
  const args = Object.fromEntries(Object.keys(properties).map((name, index) => [name, index + 2])) as JsonObject
  const result = (await tool.execute(args, context)) as ToolResult
  if (result.error !== undefined) throw new Error(`${scenario}: ${tool.name}: ${result.error.message}`)
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
await bridge.close()
