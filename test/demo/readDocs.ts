/** Part one: an agent works through the docs, with several calls in flight, some of which do not end well. */
import { join } from "node:path"
import { type AgentEvent, createAgent, createStaticPermissionPolicy, type ToolCallContent } from "@arnilo/prism"
import { createJsonSchemaToolArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import { createOpenAICompatibleProvider } from "@arnilo/prism/providers/openai-compatible"
import { createFileTools, Gauge } from "./fileTools.ts"
import { startModelServer } from "./modelServer.ts"
import { planReading } from "./planReading.ts"
import { createScreen } from "./screen.ts"
import { check, printSummary, type Tally } from "./summary.ts"

const CONCURRENCY = 4
const root = join(import.meta.dirname, "..", "..", "docs")

/** Prints what happens, and resolves with everything that is not as it has to be. */
export const readDocs = async (): Promise<ReadonlyArray<string>> => {
  const server = await startModelServer(planReading)
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
  return check(tally)
}
