/** What the tests of dispatch are built from: calls, tools, recording ledgers, and a scope by hand for one stage alone. */
import * as Effect from "effect/Effect"
import { dispatchAlone, type DispatchToolCallOptions } from "../../src/dispatch/dispatchAlone.ts"
import type { DispatchScope } from "../../src/dispatch/DispatchScope.ts"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import type { HostValue } from "../../src/ports/HostValue.ts"
import type { RunLedgerPort } from "../../src/ports/RunLedgerPort.ts"
import { unstoppable } from "../../src/ports/Steps.ts"
import type { ToolDefinition, ToolExecutionContext } from "../../src/ports/ToolDefinition.ts"
import type { AgentEventRecord, ToolCallRecord } from "../../src/records/LedgerRecords.ts"
import type { ToolCallContent } from "../../src/schema/Content.ts"
import type { JsonObject } from "../../src/schema/Json.ts"
import type { ToolResult } from "../../src/schema/ToolResult.ts"
import { createToolRegistry } from "../../src/tool/ToolRegistry.ts"

export const callOf = (name: string, args: JsonObject = {}, id = `call-${name}`): ToolCallContent => ({
  type: "tool_call",
  id,
  name,
  arguments: args
})

/** What a provider or a host that knows no types hands over. */
export const untyped = <A>(value: unknown): A => value as A

/** A tool that answers with `answer`, whatever that is. */
export const answering = (name: string, answer: unknown, more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  execute: () => untyped<HostValue<ToolResult>>(answer),
  ...more
})

/** A tool that runs `execute` and answers with its value, under ids of its own. */
export const tool = (
  name: string,
  execute: (args: JsonObject, context: ToolExecutionContext) => unknown = () => "done",
  more: Partial<ToolDefinition> = {}
): ToolDefinition => ({
  name,
  execute: (args, context) => ({ toolCallId: context.toolCallId, name, value: execute(args, context) }),
  ...more
})

export const throwing = (error: unknown) => (): never => {
  throw error
}

/** Settles when the test says so. */
export interface Gate<A> {
  readonly promise: Promise<A>
  readonly resolve: (value: A) => void
  readonly reject: (error: unknown) => void
}

export const gate = <A = void>(): Gate<A> => {
  let resolve: (value: A) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<A>((succeed, fail) => {
    resolve = succeed
    reject = fail
  })
  return { promise, resolve, reject }
}

/** Lets everything run that waits for nothing but its turn. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

/** What a Promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => `resolved with ${String(value)}`,
    (error: unknown) => error
  )

/** A ledger of arrays. `answer` is what its appends of tool calls answer with. */
export const recordingLedger = (answer: (row: ToolCallRecord) => HostValue<void> = () => undefined) => {
  const rows: Array<ToolCallRecord> = []
  const events: Array<AgentEventRecord> = []
  const ledger: RunLedgerPort = {
    appendRun: () => undefined,
    appendEvent: (row) => void events.push(row),
    appendToolCall: (row) => {
      rows.push(row)
      return answer(row)
    },
    appendUsage: () => undefined
  }
  return { ledger, rows, events, statuses: () => rows.map((row) => row.status) }
}

/** The text of an error as a subscriber of the test reads it. */
export const typesOf = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<string> => events.map((event) => event.type)

export type Trial = Omit<Partial<DispatchToolCallOptions>, "context"> & {
  readonly tools?: ReadonlyArray<ToolDefinition>
  readonly context?: Partial<ToolExecutionContext>
}

/** A lone dispatch of `call` against `tools`, with everything that it told and wrote. */
export const dispatched = async (call: ToolCallContent, { tools = [], context, ...options }: Trial = {}) => {
  const events: Array<AgentEvent> = []
  const { ledger, rows, statuses } = recordingLedger()
  const result = await dispatchAlone({
    call,
    registry: createToolRegistry(tools),
    context: { sessionId: "s", runId: "r", toolCallId: call.id, ...context },
    emit: (event) => void events.push(event),
    ledger,
    ...options
  })
  return { result, events, rows, types: typesOf(events), statuses: statuses() }
}

/** The scope of a call by hand, with everything that it tells. `tools` are registered. */
export const scopeFor = (tools: ReadonlyArray<ToolDefinition> = [], more: Partial<DispatchScope> = {}) => {
  const events: Array<AgentEvent> = []
  const scope: DispatchScope = {
    ...unstoppable,
    sessionId: "s",
    runId: "r",
    metadata: undefined,
    signal: undefined,
    registry: createToolRegistry(tools),
    filter: undefined,
    middleware: undefined,
    permission: undefined,
    validate: undefined,
    redactor: undefined,
    secrets: undefined,
    ledger: undefined,
    ownership: undefined,
    toolTimeoutMs: undefined,
    progress: undefined,
    now: () => 0,
    emit: (event) => void events.push(event),
    ...more
  }
  return { scope, events }
}

/** Runs what the kernel forks with the services of the test, its clock first. */
export const withContext = Effect.map(Effect.context(), (context) => ({ fork: Effect.runForkWith(context) }))
