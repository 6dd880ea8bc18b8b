/** What the tests of runs are built from: sessions over a scripted model, tools, ledgers, and what they leave behind. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeAgent } from "../../src/agent/Agent.ts"
import { AgentRunError } from "../../src/errors/AgentRunError.ts"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import type { AgentConfig, AgentSessionConfig, RunOptions } from "../../src/ports/AgentPort.ts"
import type { AIProvider, ProviderRequest } from "../../src/ports/AIProvider.ts"
import type { HostValue } from "../../src/ports/HostValue.ts"
import type { AgentInput } from "../../src/ports/Input.ts"
import type { AgentLoopStrategy, LoopContext } from "../../src/ports/LoopStrategy.ts"
import type { RunLedgerPort } from "../../src/ports/RunLedgerPort.ts"
import { toPromise } from "../../src/ports/toPromise.ts"
import type { ToolDefinition, ToolExecutionContext } from "../../src/ports/ToolDefinition.ts"
import type { AgentRunResult } from "../../src/records/AgentRunResult.ts"
import type { AgentEventRecord, RunRecord, ToolCallRecord, UsageRecord } from "../../src/records/LedgerRecords.ts"
import type { JsonObject } from "../../src/schema/Json.ts"
import type { Message } from "../../src/schema/Message.ts"
import type { ProviderEvent } from "../../src/schema/ProviderEvent.ts"
import type { Usage } from "../../src/schema/Usage.ts"
import { openSession } from "../../src/session/openSession.ts"
import type { Session } from "../../src/session/Session.ts"
import { createScriptedProvider, type ScriptedProvider, type ScriptedTurn } from "../../src/testing/ScriptedProvider.ts"

export const model = { provider: "mock", model: "m", capabilities: { tools: true } }

export const text = (said: string): ProviderEvent => ({ type: "content_delta", content: { type: "text", text: said } })

export const toolCall = (id: string, name: string, args: JsonObject = {}): ProviderEvent => ({
  type: "tool_call",
  call: { type: "tool_call", id, name, arguments: args }
})

export const user = (said: string): Message => ({ role: "user", content: [{ type: "text", text: said }] })

/** What a host that knows no types hands over. */
export const untyped = <A>(value: unknown): A => value as A

/** A tool that runs `execute` and answers with its value. */
export const tool = (
  name: string,
  execute: (args: JsonObject, context: ToolExecutionContext) => unknown = () => "done",
  more: Partial<ToolDefinition> = {}
): ToolDefinition => ({
  name,
  execute: (args, context) => ({ toolCallId: context.toolCallId, name, value: execute(args, context) }),
  ...more
})

export interface Scripted {
  readonly session: Session
  readonly provider: ScriptedProvider
}

/** A session over a model that says these turns. */
export const scripted = (
  turns: ReadonlyArray<ScriptedTurn>,
  config: Partial<AgentConfig> = {},
  session?: AgentSessionConfig
): Scripted => {
  const provider = createScriptedProvider(turns)
  return { session: openSession(makeAgent({ model, provider, ...config }), session), provider }
}

/** A session over a provider of the test's own. */
export const sessionOver = (
  generate: (request: ProviderRequest) => unknown,
  config: Partial<AgentConfig> = {},
  session?: AgentSessionConfig
): Session => {
  const provider: AIProvider = { id: "own", generate: (request) => untyped(generate(request)) }
  return openSession(makeAgent({ model, provider, ...config }), session)
}

/** An iterable that calls `next` for every step and counts how often it was closed. */
export const iterableOf = (
  next: (at: number) => unknown,
  onReturn: () => unknown = () => Promise.resolve({ done: true, value: undefined })
): { readonly iterable: unknown; readonly closed: () => number } => {
  let at = 0
  let closed = 0
  const iterator = {
    next: () => {
      at += 1
      return next(at - 1)
    },
    return: () => {
      closed += 1
      return onReturn()
    }
  }
  return { iterable: { [Symbol.asyncIterator]: () => iterator }, closed: () => closed }
}

export const run = (session: Session, input: AgentInput = "hi", options?: RunOptions): Promise<AgentRunResult> =>
  toPromise(Effect.runPromiseExit, session.run(input, options))

/** What a run that must not succeed rejects with. */
export const failure = async (running: Promise<unknown>): Promise<AgentRunError> => {
  const outcome = await rejection(running)
  assert.instanceOf(outcome, AgentRunError)
  return outcome
}

/** What a Promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => `resolved with ${JSON.stringify(value)}`,
    (error: unknown) => error
  )

export const messageOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await rejection(promise)
  return error instanceof Error ? error.message : `no error but ${String(error)}`
}

/** Everything that a subscription says until it ends. */
export const collect = async <A>(events: AsyncIterable<A>): Promise<Array<A>> => {
  const all: Array<A> = []
  for await (const event of events) all.push(event)
  return all
}

/** The events of one run, whatever becomes of it. */
export const eventsOf = async (session: Session, input: AgentInput = "hi", options?: RunOptions) => {
  const seen = collect(session.subscribe())
  await rejection(run(session, input, options))
  return seen
}

/** Types in order, but for the two that ordering rules leave out. */
export const typesOf = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<string> =>
  events.map(({ type }) => type).filter((type) => !type.startsWith("provider_turn_"))

/** The text of a transcript: role and what was said or asked. */
export const gist = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.map(({ content, role }) => {
    const said = content.map((block) => {
      if (block.type === "text") return block.text
      if (block.type === "tool_call") return `call ${block.name}`
      if (block.type !== "tool_result") return block.type
      return block.error === undefined ? `result ${JSON.stringify(block.result)}` : `error ${block.error.message}`
    })
    return `${role}: ${said.join(" ")}`
  })

/** What a provider accepts: every call has exactly one result, directly behind its message, in order. */
export const assertAnswered = (messages: ReadonlyArray<Message>): void => {
  const open: Array<string> = []
  for (const { content, role } of messages) {
    if (role !== "tool") assert.deepStrictEqual(open, [], "a call was left without its result")
    for (const block of content) {
      if (block.type === "tool_call") open.push(block.id)
      if (block.type === "tool_result") assert.strictEqual(block.toolCallId, open.shift())
    }
  }
  assert.deepStrictEqual(open, [], "a call was left without its result")
}

export const storedGist = async (session: Session): Promise<ReadonlyArray<string>> => {
  const entries = await Effect.runPromise(session.entries())
  return gist(entries.flatMap(({ message }) => (message === undefined ? [] : [message])))
}

/** A loop of the host's own, which may be wrong. */
export const own = (body: (context: LoopContext) => unknown): { readonly loop: AgentLoopStrategy } => ({
  loop: { name: "own", run: (context) => untyped<Promise<Usage | undefined>>(body(context)) }
})

/** Settles when the test says so. */
export interface Gate<A> {
  readonly promise: Promise<A>
  readonly open: (value: A) => void
  readonly fail: (error: unknown) => void
}

export const gate = <A = void>(): Gate<A> => {
  let open: (value: A) => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const promise = new Promise<A>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise, open, fail }
}

export interface LedgerRows {
  readonly runs: Array<RunRecord>
  readonly events: Array<AgentEventRecord>
  readonly toolCalls: Array<ToolCallRecord>
  readonly usage: Array<UsageRecord>
  /** Kind and type or status of every row, in the order of writing. */
  readonly order: Array<string>
}

/** A ledger of arrays. `answer` is what each append answers with, told which row it is. */
export const recordingLedger = (
  answer: (row: string) => HostValue<void> = () => undefined
): { readonly ledger: RunLedgerPort; readonly rows: LedgerRows } => {
  const rows: LedgerRows = { runs: [], events: [], toolCalls: [], usage: [], order: [] }
  const write = <Row>(list: Array<Row>, row: Row, name: string): HostValue<void> => {
    list.push(row)
    rows.order.push(name)
    return answer(name)
  }
  return {
    rows,
    ledger: {
      appendRun: (row) => write(rows.runs, row, `run ${row.status}`),
      appendEvent: (row) => write(rows.events, row, `event ${row.type}`),
      appendToolCall: (row) => write(rows.toolCalls, row, `tool ${row.status}`),
      appendUsage: (row) => write(rows.usage, row, `usage ${row.scope}`)
    }
  }
}

/** Lets everything run that waits for nothing but its turn, timers that are due included. */
export const aMoment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs `body` and fails if a rejection was left to nobody. */
export const withoutStrayRejections = async (body: () => Promise<void>): Promise<void> => {
  const stray: Array<unknown> = []
  const note = (reason: unknown): void => void stray.push(reason)
  process.on("unhandledRejection", note)
  try {
    await body()
    await aMoment()
    await aMoment()
  } finally {
    process.off("unhandledRejection", note)
  }
  assert.deepStrictEqual(stray, [])
}
