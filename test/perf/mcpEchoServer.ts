/** A server with one tool, as little as the protocol takes: what is compared shall not wait for it. */
import { createInterface } from "node:readline"

interface Request {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly text?: string } }
}

const inputSchema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] }

const answerTo = ({ method, params }: Request): object => {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "echo", version: "1" }
      }
    case "tools/list":
      return { tools: [{ name: "echo", description: "Says it again", inputSchema }] }
    default:
      return { content: [{ type: "text", text: params?.arguments?.text }] }
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line) as Request
  if (request.id === undefined) return
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, result: answerTo(request) })}\n`)
})
