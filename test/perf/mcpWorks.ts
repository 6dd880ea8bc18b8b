/** Works of the MCP bridge. `bare` stands for the official client alone, against the same server. */
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { connectMcpTools } from "@arnilo/prism-mcp"
import { fileURLToPath } from "node:url"
import type { SubjectName } from "./Subject.ts"
import { type Measure, type Pace, timed } from "./works.ts"

const command = process.execPath
const args = ["--no-warnings", fileURLToPath(new URL("./mcpEchoServer.ts", import.meta.url))]

/** One call; answers with the text that came back. */
type Call = (text: string) => Promise<unknown>

const firstText = (result: unknown): unknown =>
  (result as { readonly content?: ReadonlyArray<{ readonly text?: string }> }).content?.[0]?.text

const openClient = async (): Promise<Call> => {
  const client = new Client({ name: "bench", version: "1" })
  await client.connect(new StdioClientTransport({ command, args }))
  return async (text) => firstText(await client.callTool({ name: "echo", arguments: { text } }))
}

const openBridge = async (): Promise<Call> => {
  const { tools } = await connectMcpTools({ serverId: "bench", transport: { type: "stdio", command, args } })
  const [echo] = tools
  if (echo === undefined) throw new Error("no tool was listed")
  const context = { sessionId: "bench", runId: "bench", toolCallId: "bench" }
  return async (text) => firstText(await echo.execute({ text }, context))
}

/** So many calls at once, again and again. The time is that of one round of them. */
const mcpCalls = async (subject: SubjectName, atOnce: number, pace: Pace): Promise<Measure> => {
  const call = await (subject === "bare" ? openClient() : openBridge())
  const texts = Array.from({ length: atOnce }, (_, index) => `call ${index}`)
  const round = async (): Promise<void> => {
    const answers = await Promise.all(texts.map(call))
    for (const [index, text] of texts.entries()) {
      if (answers[index] !== text) throw new Error(`expected ${text}, got ${String(answers[index])}`)
    }
  }
  await round()
  return timed(round, pace)
}

export const mcpWorks = { mcpCalls } satisfies Record<
  string,
  (subject: SubjectName, size: number, pace: Pace) => Promise<Measure>
>

export type McpWorkName = keyof typeof mcpWorks
