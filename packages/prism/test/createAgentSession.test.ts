/** What a host of Promises sees of agents and sessions, by the public entry alone. */
import { assert, describe, it } from "@effect/vitest"
import {
  type AgentConfig,
  type AgentEvent,
  AgentRunError,
  type AgentSession,
  type AIProvider,
  createAgent,
  createAgentSession,
  createMemorySessionStore,
  createMockProvider,
  type ProviderEvent,
  type ProviderRequest,
  providerDone,
  providerTextDelta,
  providerToolCall,
  toolCallContent,
  type ToolDefinition
} from "@arnilo/prism"

const model = { provider: "mock", model: "m", capabilities: { tools: true } }
const said = (text: string): ReadonlyArray<ProviderEvent> => [providerTextDelta(text), providerDone()]

/** One list of events per turn; what is asked beyond them gets the last again. `undefined` says nothing, for ever. */
const scripted = (...turns: ReadonlyArray<ReadonlyArray<ProviderEvent | undefined>>) => {
  const requests: Array<ProviderRequest> = []
  let closed = 0
  const provider: AIProvider = {
    id: "mock",
    generate: (request) => {
      const events = turns[Math.min(requests.length, turns.length - 1)] ?? []
      requests.push({ ...request, messages: [...request.messages] })
      let at = 0
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => {
            if (at === events.length) return Promise.resolve({ value: undefined, done: true as const })
            const value = events[at]
            at += 1
            return value === undefined
              ? new Promise<never>(() => undefined)
              : Promise.resolve({ value, done: false as const })
          },
          return: () => {
            closed += 1
            return Promise.resolve({ value: undefined, done: true as const })
          }
        })
      }
    }
  }
  return { provider, requests, closed: () => closed }
}
const sessionOf = (provider: AIProvider, config: Partial<AgentConfig> = {}): AgentSession =>
  createAgent({ model, provider, ...config }).createSession()
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (error: unknown) => error
  )
const failure = async (promise: Promise<unknown>): Promise<AgentRunError> => {
  const error = await rejection(promise)
  assert.instanceOf(error, AgentRunError)
  return error
}
const typesOf = (events: ReadonlyArray<AgentEvent>) =>
  events.map(({ type }) => type).filter((type) => !type.startsWith("provider_turn_"))
const aMoment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const reached = (condition: () => boolean): Promise<void> =>
  condition() ? Promise.resolve() : aMoment().then(() => reached(condition))

describe("a session that refuses", () => {
  it("S8: rejects a bad limit with TypeError, as a Promise", async () => {
    const { provider, requests } = scripted(said("a"))
    const session = sessionOf(provider)
    const error = await rejection(session.run("hi", { maxToolRounds: 65 }))
    assert.instanceOf(error, TypeError)
    assert.strictEqual(error.message, "maxToolRounds must be a positive safe integer at most 64")
    assert.lengthOf(requests, 0)
  })

  it("S1: rejects a second run, and the first goes on", async () => {
    const session = sessionOf(createMockProvider([...said("a")]))
    const [first, second] = await Promise.all([session.run("one"), failure(session.run("two"))])
    assert.deepStrictEqual([first.text, second.message], ["a", "Agent session already has an active run"])
  })

  it("S26: rejects an unknown leaf with what is unknown", async () => {
    const session = sessionOf(createMockProvider())
    const error = await rejection(session.checkout("gone"))
    assert.instanceOf(error, Error)
    assert.strictEqual(error.message, "Unknown session leaf: gone")
  })

  it("S7: rejects with AgentRunError, an Error by name, message and result", async () => {
    const down: AIProvider = {
      id: "down",
      generate: () => {
        throw new Error("down")
      }
    }
    const error = await failure(sessionOf(down).run("hi"))
    assert.instanceOf(error, Error)
    assert.deepStrictEqual(
      [error.name, error.message, error.result.status, error.result.error?.message],
      ["AgentRunError", "down", "failed", "down"]
    )
  })
})

describe("createAgentSession", () => {
  it("S29: is the agent's own createSession: with id, store, leaf and metadata", async () => {
    const store = createMemorySessionStore()
    const { provider, requests } = scripted(said("a"))
    const agent = createAgent({ model, provider })
    const first = createAgentSession({ agent, id: "s", store, metadata: { m: 1 } })
    const { leafId } = await first.run("one")
    assert.deepStrictEqual([first.id, first.leafId, requests[0]?.metadata], ["s", leafId, { m: 1 }])
    const [entry] = await first.entries()
    const resumed = agent.createSession({ id: "s", store })
    assert.lengthOf(await resumed.entries(), 2)
    const earlier = createAgentSession({ agent, id: "s", store, ...(entry === undefined ? {} : { leafId: entry.id }) })
    assert.lengthOf(await earlier.entries(), 1)
    const other = agent.createSession()
    assert.notStrictEqual(other.id, first.id)
    assert.deepStrictEqual(await other.entries(), [])
  })

  it("S12: prompt is run", async () => {
    const { provider, requests } = scripted(said("a"))
    const session = sessionOf(provider)
    const one = await session.prompt("hi", { metadata: { n: 1 } })
    const two = await session.run("hi", { metadata: { n: 1 } })
    assert.deepStrictEqual([one.text, one.status, Object.keys(one)], [two.text, two.status, Object.keys(two)])
    assert.deepStrictEqual(requests[0]?.metadata, { n: 1 })
  })

  it("S25, S27, S28: entries, fork and clone are handles and copies of their own", async () => {
    const session = sessionOf(createMockProvider([...said("a")]))
    await session.run("one")
    const fork = session.fork()
    await fork.run("two")
    const clone = await session.clone({ id: "copy" })
    assert.deepStrictEqual(
      [(await session.entries()).length, (await fork.entries()).length, (await clone.entries()).length],
      [2, 4, 2]
    )
    assert.deepStrictEqual([fork.id, clone.id], [session.id, "copy"])
    await session.checkout(fork.leafId)
    assert.lengthOf(await session.entries(), 4)
  })

  it("E17: a consumer and its run can be waited for together, as the guide shows it", async () => {
    const session = sessionOf(createMockProvider([...said("a")]))
    const seen: Array<AgentEvent> = []
    const consumer = (async () => {
      for await (const event of session.subscribe()) seen.push(event)
    })()
    const [, result] = await Promise.all([consumer, session.run("hi")])
    assert.strictEqual(result.text, "a")
    assert.deepStrictEqual(typesOf(seen), [
      "agent_started",
      "turn_started",
      "message_started",
      "message_delta",
      "message_finished",
      "turn_finished",
      "agent_finished"
    ])
    await session.run("again")
  })

  it("S22, E18: leaving a stream early aborts its run, and the next statement starts another", async () => {
    const { closed, provider } = scripted([providerTextDelta("a"), undefined], said("b"))
    const session = sessionOf(provider)
    for await (const event of session.stream("one")) if (event.type === "message_delta") break
    assert.strictEqual(closed(), 1)
    assert.strictEqual((await session.run("two")).text, "b")
  })

  it("S13, S15, S17, S2: abort and signal end a run at once; the next request answers what was left open", async () => {
    const finalized: Array<string> = []
    const hangs: ToolDefinition = {
      name: "hangs",
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => {
            finalized.push(String(signal.reason))
            reject(signal.reason)
          })
        })
    }
    const asks = [providerToolCall(toolCallContent("c", "hangs")), providerDone()]
    const { provider, requests } = scripted(asks, said("b"), asks, said("c"))
    const session = sessionOf(provider, { tools: [hangs] })
    const stray: Array<unknown> = []
    const note = (reason: unknown): void => void stray.push(reason)
    process.on("unhandledRejection", note)
    const first = failure(session.run("one"))
    for await (const event of session.subscribe()) if (event.type === "tool_execution_started") break
    session.abort("enough")
    const { message, result } = await first
    assert.deepStrictEqual([message, result.status, result.abortReason], ["Agent run aborted", "aborted", "enough"])
    assert.strictEqual((await session.run("two")).text, "b")
    const answered = requests[1]?.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? [block.error?.code] : []))
    )
    assert.deepStrictEqual(answered, ["ERR_PRISM_TOOL_RESULT_MISSING"])
    const controller = new AbortController()
    const third = failure(session.run("three", { signal: controller.signal }))
    await reached(() => requests.length === 3 && finalized.length === 1)
    await aMoment()
    controller.abort(new Error("mine"))
    assert.strictEqual((await third).message, "mine")
    await aMoment()
    process.off("unhandledRejection", note)
    assert.deepStrictEqual([finalized, stray], [["Error: Agent run aborted", "Error: mine"], []])
    assert.strictEqual((await session.run("four")).text, "c")
  })

  it("S32: a wait before a retry keeps the run going", async () => {
    let attempts = 0
    const flaky: AIProvider = {
      id: "flaky",
      generate: (request) => {
        attempts += 1
        if (attempts === 1) throw Object.assign(new Error("overloaded"), { code: 503 })
        return createMockProvider([...said("a")]).generate(request)
      }
    }
    const session = sessionOf(flaky, { retry: { baseDelayMs: 1 } })
    assert.strictEqual((await session.run("hi")).text, "a")
    assert.strictEqual(attempts, 2)
  })
})
