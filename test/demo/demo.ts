/** `npm run demo`: an agent works through the docs over real HTTP; prints what happens and checks that it is so. */
import { join } from "node:path"
import { type AgentEvent, createAgent, createStaticPermissionPolicy, type ToolCallContent } from "@arnilo/prism"
import { createJsonSchemaToolArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import { createOpenAICompatibleProvider } from "@arnilo/prism/providers/openai-compatible"
import { createFileTools, Gauge } from "./fileTools.ts"
import { startModelServer } from "./modelServer.ts"
import { createScreen } from "./screen.ts"
import { check, printSummary, type Tally } from "./summary.ts"

const CONCURRENCY = 4
const root = join(import.meta.dirname, "..", "..", "docs")

const server = await startModelServer()
const gauge = new Gauge()
const tools = createFileTools(root, gauge)
const agent = createAgent({
  model: { provider: "demo", model: "loopback-planner", capabilities: { tools: true } },
  provider: createOpenAICompatibleProvider({ id: "demo", baseUrl: server.baseUrl }),
  instructions: "You look after this project's documentation.",
  tools,
  permission: createStaticPermissionPolicy({ deny: ["tool:delete_file:execute"] }),
  validator: createJsonSchemaToolArgumentValidator({ missingSchema: "reject" }),
  loop: { strategy: "single-shot", toolConcurrency: CONCURRENCY },
  limits: { maxToolRounds: 4, maxWallMs: 60_000 }
})

const session = agent.createSession()
const screen = createScreen(process.stdout, gauge)
const events: Array<AgentEvent> = []
const requested: Array<ToolCallContent> = []
const watching = (async () => {
  for await (const event of session.subscribe()) {
    events.push(event)
    if (event.type === "message_delta" && event.content.type === "tool_call") requested.push(event.content)
    screen.show(event)
  }
})()

const result = await session.run("How much is there to read in the docs?")
await watching
const entries = await session.entries()
await server.close()

const answered = entries.flatMap(({ message }) =>
  (message?.content ?? []).flatMap((block) => (block.type === "tool_result" ? [block.toolCallId] : []))
)
const tally: Tally = {
  result,
  events,
  requested,
  answered,
  peak: gauge.peak,
  concurrency: CONCURRENCY,
  httpRequests: server.requests
}
printSummary(process.stdout, tally)
const problems = check(tally)
for (const problem of problems) process.stderr.write(`demo: ${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
