/** Prism through its public facade, as a host uses it. */
import {
  type AgentConfig,
  type AgentSession,
  type AIProvider,
  createAgent,
  createMemorySessionStore,
  createMockProvider,
  createSessionEntry,
  type ProviderEvent,
  providerDone,
  providerTextDelta,
  providerToolCall,
  type SessionEntry,
  toolCallContent,
  type ToolDefinition
} from "@arnilo/prism"
import {
  DELTA,
  type Execute,
  probeArguments,
  probeFault,
  probeParameters,
  type Subject,
  TURN_DELTAS
} from "../Subject.ts"

const textOf = (deltas: number): ReadonlyArray<ProviderEvent> => [
  ...Array.from({ length: deltas }, () => providerTextDelta(DELTA)),
  providerDone()
]
const callsOf = (calls: number): ReadonlyArray<ProviderEvent> => [
  ...Array.from({ length: calls }, (_, index) =>
    providerToolCall(toolCallContent(`call-${index}`, "probe", probeArguments))
  ),
  providerDone()
]

const agentOf = (provider: AIProvider, config?: Partial<AgentConfig>) =>
  createAgent({ model: { provider: "mock", model: "mock" }, provider, ...config })

/** Answers the n-th request of a run with the n-th turn, as a host's own provider would: an async generator. */
const scripted = (turns: ReadonlyArray<ReadonlyArray<ProviderEvent>>) => {
  let turn = 0
  return {
    rewind: () => {
      turn = 0
    },
    id: "mock",
    async *generate() {
      const events = turns[turn] ?? []
      turn += 1
      for (const event of events) yield event
    }
  }
}

const withTool = (execute: Execute): Partial<AgentConfig> => {
  const probe: ToolDefinition = {
    name: "probe",
    description: "does next to nothing",
    parameters: probeParameters,
    execute: async (args, { toolCallId }) => ({ toolCallId, name: "probe", value: await execute(args) })
  }
  return { tools: [probe], validator: (_tool, args) => probeFault(args) }
}

const running = (provider: ReturnType<typeof scripted>, config: Partial<AgentConfig>) => {
  const agent = agentOf(provider, config)
  return () => {
    provider.rewind()
    return agent.createSession().run("Hi")
  }
}

export const prism: Subject = {
  textTurn: () => {
    const agent = agentOf(createMockProvider(textOf(TURN_DELTAS)))
    return async () => (await agent.createSession().run("Hi")).text
  },
  textStream: () => {
    const agent = agentOf(createMockProvider(textOf(TURN_DELTAS)))
    return async () => {
      let text = ""
      for await (const event of agent.createSession().stream("Hi")) {
        if (event.type === "message_delta" && event.content.type === "text") text += event.content.text
      }
      return text
    }
  },
  toolRounds: (rounds, execute) =>
    running(scripted([...Array.from({ length: rounds }, () => callsOf(1)), textOf(1)]), {
      ...withTool(execute),
      limits: { maxToolRounds: rounds }
    }),
  toolBatch: (calls, concurrency, execute) =>
    running(scripted([callsOf(calls), textOf(1)]), {
      ...withTool(execute),
      loop: { strategy: "single-shot", toolConcurrency: concurrency }
    }),
  fanOut: (deltas, subscribers) => {
    const agent = agentOf(createMockProvider(textOf(deltas)))
    return async () => {
      const session = agent.createSession()
      let arrived = 0
      const read = async () => {
        for await (const event of session.subscribe({ maxQueuedEvents: 8192 })) {
          if (event.type === "message_delta") arrived += 1
        }
      }
      const readers = Array.from({ length: subscribers }, read)
      await session.run("Hi")
      await Promise.all(readers)
      return arrived
    }
  },
  stalled: (deltas, bound, attach) => async () => {
    const provider = {
      id: "mock",
      async *generate() {
        for (let index = 0; index < deltas; index += 1) yield providerTextDelta(`tok ${index}`)
        yield providerDone()
      }
    }
    const session = agentOf(provider).createSession()
    const stalled = attach ? session.subscribe({ maxQueuedEvents: bound, overflow: "drop_oldest" }) : undefined
    await session.run("Hi")
    return { session, stalled }
  },
  sessions: () => {
    const agent = agentOf(createMockProvider(textOf(TURN_DELTAS)))
    return {
      create: (id) => agent.createSession({ id }),
      run: (session: AgentSession, input) => session.run(input)
    }
  },
  longSession: (messages) => {
    const entries: Array<SessionEntry> = []
    for (let index = 0; index < messages; index += 1) {
      entries.push(
        createSessionEntry({
          sessionId: "long",
          parentId: entries.at(-1)?.id,
          kind: "message",
          message: {
            role: index % 2 === 0 ? "user" : "assistant",
            content: [{ type: "text", text: `message ${index} with some words in it` }]
          }
        })
      )
    }
    let sent = 0
    const provider = createMockProvider(textOf(TURN_DELTAS), {
      onRequest: (request) => {
        sent = request.messages.length
      }
    })
    const agent = agentOf(provider, { store: createMemorySessionStore(entries) })
    const session = agent.createSession({ id: "long", leafId: entries.at(-1)?.id })
    return async () => {
      await session.run("Hi")
      return sent
    }
  }
}
