/** Runs whose model asks for tools, on the clock of the test. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import type { AgentRunError } from "../../src/errors/AgentRunError.ts"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import { layerDefaults } from "../../src/layer.ts"
import type { RunOptions } from "../../src/ports/AgentPort.ts"
import type { PermissionPolicy } from "../../src/ports/Policies.ts"
import type { RunLedgerPort } from "../../src/ports/RunLedgerPort.ts"
import type { ToolDefinition, ToolExecutionContext } from "../../src/ports/ToolDefinition.ts"
import { Provider } from "../../src/provider/Provider.ts"
import { providerDone, providerTextDelta, providerToolCall } from "../../src/provider/providerEvents.ts"
import type { ToolCallContent } from "../../src/schema/Content.ts"
import { Permission } from "../../src/security/Permission.ts"
import { AgentSession, type AgentSettings } from "../../src/session/AgentSession.ts"
import { RunLedger } from "../../src/store/RunLedger.ts"
import { createScriptedProvider } from "../../src/testing/ScriptedProvider.ts"
import { Tools } from "../../src/tool/Tools.ts"
import { callOf, gate, settle } from "./dispatching.ts"

export interface Scene {
  readonly tools: ReadonlyArray<ToolDefinition>
  /** The calls of each turn; a turn of text follows the last one. */
  readonly turns: ReadonlyArray<ReadonlyArray<ToolCallContent>>
  readonly settings?: Partial<AgentSettings>
  readonly permission?: PermissionPolicy
  readonly ledger?: RunLedgerPort
}

export const concurrent = (toolConcurrency: number): Partial<AgentSettings> => ({
  loop: { strategy: "single-shot", toolConcurrency },
  limits: { maxToolRounds: 8 }
})

/** A session whose model asks for the calls, on the test's clock; and one run of it, with all that it told. */
export const opening = (scene: Scene) => {
  const provider = createScriptedProvider([
    ...scene.turns.map((calls) => [...calls.map(providerToolCall), providerDone()]),
    [providerTextDelta("ok"), providerDone()]
  ])
  const services = Layer.mergeAll(
    layerDefaults,
    Tools.layer(scene.tools),
    Provider.layer(provider),
    Layer.succeed(Permission, scene.permission),
    Layer.succeed(RunLedger, scene.ledger)
  )
  const settings: AgentSettings = { model: { provider: "mock", model: "m" }, ...concurrent(1), ...scene.settings }
  return Effect.map(AgentSession.make(settings).pipe(Effect.provide(services)), (session) => {
    const events: Array<AgentEvent> = []
    const start = (options?: RunOptions) =>
      Effect.gen(function* () {
        yield* Effect.forkChild(
          Stream.runForEach(session.events, (event) => Effect.sync(() => void events.push(event))),
          { startImmediately: true }
        )
        const running = yield* Effect.forkChild(session.run("go", options), { startImmediately: true })
        yield* flush
        return running
      })
    return { events, provider, session, start }
  })
}
const flush = Effect.promise(settle)
export const pass = (milliseconds: number) => Effect.andThen(TestClock.adjust(milliseconds), flush)
export const failureOf = (running: Fiber.Fiber<unknown, AgentRunError | TypeError>) => Effect.flip(Fiber.join(running))

/** The results that the last request of a provider carries, as `id: value` or `id! message`. */
export const answersIn = ({ requests }: ReturnType<typeof createScriptedProvider>): ReadonlyArray<string> =>
  (requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type !== "tool_result") return []
      return block.error === undefined
        ? `${block.toolCallId}: ${JSON.stringify(block.result)}`
        : `${block.toolCallId}! ${block.error.message}`
    })
  )
export const calls = ["a", "b", "c", "d"].map((id) => callOf("work", { id }, id))

/** A tool whose calls end when the test says so. */
export const held = () => {
  const started: Array<string> = []
  const contexts = new Map<string, ToolExecutionContext>()
  const gates = new Map(calls.map(({ id }) => [id, gate<unknown>()]))
  const work: ToolDefinition = {
    name: "work",
    execute: (_, context) => {
      started.push(context.toolCallId)
      contexts.set(context.toolCallId, context)
      const ended = gates.get(context.toolCallId)?.promise ?? Promise.resolve()
      return ended.then((value) => ({ toolCallId: context.toolCallId, name: "work", value }))
    }
  }
  const end = (id: string) =>
    Effect.promise(() => {
      gates.get(id)?.resolve(id)
      return settle()
    })
  return { contexts, end, started, work }
}
