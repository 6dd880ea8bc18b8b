/** The client that the MCP conformance suite drives: `connectMcpTools` against the server at a URL. */
import { ApprovalGate, type JsonObject, type ToolResult } from "@arnilo/prism-core"
import { connectMcpTools, McpAuthorizationError, type McpToolBridge } from "@arnilo/prism-mcp"
import { readLogin } from "./conformanceLogin.ts"

export interface ConformanceTask {
  readonly url: string
  readonly scenario: string
  /** JSON text: what the scenario tells a client beforehand. */
  readonly context?: string | undefined
}

/** Connects, calls every tool once, closes. Rejects where one of these fails. */
export const runScenario = async ({ context: given, scenario, url }: ConformanceTask): Promise<void> => {
  const bridge = await connectAllowing(url, readLogin(scenario, given))
  const context = { sessionId: "s", runId: "r", toolCallId: "c" }
  try {
    for (const tool of bridge.tools) {
      const properties = (tool.parameters?.["properties"] ?? {}) as Readonly<Record<string, unknown>>
      const args = Object.fromEntries(Object.keys(properties).map((name, index) => [name, index + 2])) as JsonObject
      // One after the other, as the scenarios expect.
      const result = (await tool.execute(args, context)) as ToolResult
      if (result.error !== undefined) throw new Error(`${tool.name}: ${result.error.message}`)
    }
  } finally {
    await bridge.close()
  }
}

type Login = ReturnType<typeof readLogin>

const connect = (url: string, login: Login, allowedOrigins: ReadonlyArray<string>): Promise<McpToolBridge> =>
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
const connectAllowing = async (url: string, login: Login): Promise<McpToolBridge> => {
  const own = new URL(url).origin
  try {
    return await connect(url, login, [own])
  } catch (error) {
    const [, origin] = /origin (\S+) is not in oauth.allowedOrigins/.exec((error as Error).message) ?? []
    if (!(error instanceof McpAuthorizationError) || origin === undefined) throw error
    return connect(url, login, [own, origin])
  }
}
