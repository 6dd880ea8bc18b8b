/** The fastest rival, `@earendil-works/pi-agent-core`, through its public API and with a model that answers at once. */
import { DELTA, type Execute, probeArguments, probeParameters, type Subject, TURN_DELTAS } from "../Subject.ts"

interface PiMessage {
  readonly role: string
  readonly content: ReadonlyArray<{ readonly type: string; readonly text?: string }>
  readonly [field: string]: unknown
}
interface PiEvent {
  readonly type: string
  readonly assistantMessageEvent: { readonly type: string; readonly delta: string }
}
interface PiStream {
  push(event: unknown): void
}
interface PiContext {
  readonly messages: ReadonlyArray<PiMessage>
}
interface PiAgent {
  readonly state: { readonly messages: ReadonlyArray<PiMessage> }
  subscribe(listener: (event: PiEvent) => void): void
  prompt(input: string): Promise<void>
}
interface PiModules {
  readonly Agent: new (options: unknown) => PiAgent
  readonly createAssistantMessageEventStream: () => PiStream
}
type Turn = (stream: PiStream) => void

const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const origin = { api: "mock", provider: "mock" }
const model = {
  ...origin,
  id: "mock",
  name: "mock",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: free,
  contextWindow: 1_000_000,
  maxTokens: 10_000
}

const assistant = (content: PiMessage["content"], stopReason: string): PiMessage => ({
  ...origin,
  role: "assistant",
  content,
  model: "mock",
  usage: { ...free, totalTokens: 0, cost: { ...free, total: 0 } },
  stopReason,
  timestamp: 0
})

const textTurnOf =
  (deltas: number): Turn =>
  (stream) => {
    const block = { type: "text", text: "" }
    const partial = assistant([block], "stop")
    stream.push({ type: "start", partial })
    stream.push({ type: "text_start", contentIndex: 0, partial })
    for (let index = 0; index < deltas; index += 1) {
      block.text += DELTA
      stream.push({ type: "text_delta", contentIndex: 0, delta: DELTA, partial })
    }
    stream.push({ type: "text_end", contentIndex: 0, content: block.text, partial })
    stream.push({ type: "done", reason: "stop", message: partial })
  }

const callTurnOf =
  (calls: number): Turn =>
  (stream) => {
    const blocks = Array.from({ length: calls }, (_, index) => ({
      type: "toolCall",
      id: `call-${index}`,
      name: "probe",
      arguments: probeArguments
    }))
    const message = assistant(blocks, "toolUse")
    stream.push({ type: "start", partial: message })
    stream.push({ type: "done", reason: "toolUse", message })
  }

const toolOf = (execute: Execute) => ({
  name: "probe",
  label: "probe",
  description: "does next to nothing",
  parameters: probeParameters,
  execute: async (_id: string, args: Readonly<Record<string, unknown>>) => ({
    content: [{ type: "text", text: await execute(args) }],
    details: {}
  })
})

const isDelta = ({ assistantMessageEvent, type }: PiEvent): boolean =>
  type === "message_update" && assistantMessageEvent.type === "text_delta"

/** `entry` is the URL of a module that exports `Agent` and `createAssistantMessageEventStream`. */
export const loadPi = async (entry: string): Promise<Subject> => {
  const { Agent, createAssistantMessageEventStream }: PiModules = await import(entry)

  const scripted = (turns: ReadonlyArray<Turn>) => {
    let turn = 0
    const streamFn = () => {
      const stream = createAssistantMessageEventStream()
      turns[Math.min(turn, turns.length - 1)]?.(stream)
      turn += 1
      return stream
    }
    const rewind = () => {
      turn = 0
    }
    return { streamFn, rewind }
  }
  const agentOf = (streamFn: (model: unknown, context: PiContext) => PiStream, state?: object) =>
    new Agent({ initialState: { systemPrompt: "", model, thinkingLevel: "off", ...state }, streamFn })
  const running = (turns: ReadonlyArray<Turn>, execute: Execute) => {
    const { rewind, streamFn } = scripted(turns)
    const tools = [toolOf(execute)]
    return () => {
      rewind()
      return agentOf(streamFn, { tools }).prompt("Hi")
    }
  }

  return {
    textTurn: () => {
      const { streamFn } = scripted([textTurnOf(TURN_DELTAS)])
      return async () => {
        const agent = agentOf(streamFn)
        await agent.prompt("Hi")
        return agent.state.messages.at(-1)?.content[0]?.text ?? ""
      }
    },
    textStream: () => {
      const { streamFn } = scripted([textTurnOf(TURN_DELTAS)])
      return async () => {
        const agent = agentOf(streamFn)
        let text = ""
        agent.subscribe((event) => {
          if (isDelta(event)) text += event.assistantMessageEvent.delta
        })
        await agent.prompt("Hi")
        return text
      }
    },
    toolRounds: (rounds, execute) =>
      running([...Array.from({ length: rounds }, () => callTurnOf(1)), textTurnOf(1)], execute),
    toolBatch: (calls, _concurrency, execute) => running([callTurnOf(calls), textTurnOf(1)], execute),
    fanOut: (deltas, subscribers) => {
      const { streamFn } = scripted([textTurnOf(deltas)])
      return async () => {
        const agent = agentOf(streamFn)
        let arrived = 0
        for (let index = 0; index < subscribers; index += 1) {
          agent.subscribe((event) => {
            if (isDelta(event)) arrived += 1
          })
        }
        await agent.prompt("Hi")
        return arrived
      }
    },
    sessions: () => {
      const { streamFn } = scripted([textTurnOf(TURN_DELTAS)])
      return { create: () => agentOf(streamFn), run: (agent: PiAgent, input) => agent.prompt(input) }
    },
    longSession: (count) => {
      const messages = Array.from({ length: count }, (_, index) => {
        const content = [{ type: "text", text: `message ${index} with some words in it` }]
        return index % 2 === 0 ? { role: "user", content, timestamp: 0 } : assistant(content, "stop")
      })
      const { streamFn } = scripted([textTurnOf(TURN_DELTAS)])
      let sent = 0
      const counting = (_model: unknown, context: PiContext) => {
        sent = context.messages.length
        return streamFn()
      }
      const agent = agentOf(counting, { messages })
      return async () => {
        await agent.prompt("Hi")
        return sent
      }
    }
  }
}
