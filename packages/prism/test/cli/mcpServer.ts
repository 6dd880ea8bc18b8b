/** A server of the Model Context Protocol for tests of the command, as small as it can be: what it lists is what they look at. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** It leaves its process id in `pid` of the folder. Answers with the options of a connection to it. */
export const writeMcpServer = (folder: string) => {
  const file = join(folder, "server.mjs")
  writeFileSync(file, sourceOf(folder))
  return { serverId: "s", transport: { type: "stdio", command: process.execPath, args: [file] } }
}

const sourceOf = (folder: string): string => `
import { writeFileSync } from "node:fs"
import { createInterface } from "node:readline"
writeFileSync(${JSON.stringify(join(folder, "pid"))}, String(process.pid))
if (process.env.NOISY) process.stderr.write("no licence\\u001b[31m\\nfound\\n")
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n")
const number = { type: "number" }
const tools = [
  { name: "add", description: "Adds\\u001b[31m two\\nnumbers\\u202e", inputSchema: { type: "object", properties: { a: number, b: number }, required: ["a"], additionalProperties: false } },
  { name: "remote", inputSchema: { type: "object", properties: { x: { $ref: "https://example.com/x" } } } },
  { name: "fail", inputSchema: { type: "object" } },
  { name: "hang", inputSchema: { type: "object" } },
  { name: "odd", description: "\\u009b31m\\u007f", inputSchema: { type: "object" } }
]
const call = (id, { _meta, arguments: args, name }) => {
  if (name === "hang") return send({ method: "notifications/progress", params: { progressToken: _meta.progressToken, progress: 0 } })
  if (name === "odd") return send({ id, result: { content: [{ type: "text", text: "\\u001b[2J \\u009b31m \\u202e \\u{e0001}" }] } })
  if (name === "fail") process.stderr.write("tray\\u001b[31m\\n3\\n")
  if (name === "fail") return send({ id, result: { isError: true, content: [{ type: "text", text: "out of\\u0007 paper" }] } })
  send({ method: "notifications/progress", params: { progressToken: _meta.progressToken, progress: 1, total: 2 } })
  const sum = args.a + (args.b ?? 0)
  const image = { type: "image", data: "AAAA", mimeType: "image/png" }
  send({ id, result: { content: [{ type: "text", text: "sum\\u001b[2J " + sum }, image], structuredContent: { sum } } })
}
let listings = 0
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "small\\u001b[1m", version: "1.2" } } })
  else if (method === "tools/list" && listings++ > 0 && process.env.STUCK) return
  else if (method === "tools/list") send({ id, result: { tools } })
  else if (method === "tools/call") call(id, params)
})
`
