/** The client that the MCP conformance suite drives: `connectMcpTools` against the server at the URL in the last argument. */
import { ApprovalGate, type JsonObject, type ToolResult } from "@arnilo/prism-core"
import { connectMcpTools } from "@arnilo/prism-mcp"

const url = process.argv.at(-1) ?? ""
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"]

const bridge = await connectMcpTools({
  serverId: "conformance",
  transport: {
    type: "streamable-http",
    url,
    allowedOrigins: [new URL(url).origin],
    allowLoopbackHttp: true
  },
  elicitation: { approval: ApprovalGate.make({ prompt: () => true }) }
})
const context = { sessionId: "s", runId: "r", toolCallId: "c" }
for (const tool of bridge.tools) {
  const properties = (tool.parameters?.["properties"] ?? {}) as Readonly<Record<string, unknown>>
  const args = Object.fromEntries(Object.keys(properties).map((name, index) => [name, index + 2])) as JsonObject
  const result = (await tool.execute(args, context)) as ToolResult
  if (result.error !== undefined) throw new Error(`${String(scenario)}: ${tool.name}: ${result.error.message}`)
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
await bridge.close()
