/** The program of docs/effect-native.md. Its declarations stand here word for word, as the last test makes sure. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import {
  type AgentEvent,
  ApprovalGate,
  createToolRegistry,
  EventBroadcaster,
  type ExecutionPolicy,
  layerDefaults,
  Provider,
  providerTextDelta,
  providerToolCall,
  requireExecution,
  toolCallContent,
  Tools
} from "@arnilo/prism-core"
import { AgentSession } from "@arnilo/prism-core/session"
import { createScriptedProvider } from "@arnilo/prism-core/testing"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"

/** The model: asks for a deployment, then has the last word. */
const model = Layer.sync(Provider, () => {
  const provider = createScriptedProvider([
    [providerToolCall(toolCallContent("call_1", "deploy"))],
    [providerTextDelta("That is all I can do.")]
  ])
  return { resolve: () => provider }
})

/** One tool, which asks a person before its side effect. */
const tools = Layer.effect(
  Tools,
  Effect.gen(function* () {
    const gate = yield* ApprovalGate
    const policy: ExecutionPolicy = {
      check: ({ command }) =>
        Effect.map(gate.ask({ title: `Run ${command}?` }), ({ approved, reason }) => ({ allowed: approved, reason }))
    }
    return createToolRegistry([
      {
        name: "deploy",
        execute: (_, { toolCallId }) =>
          Effect.gen(function* () {
            const action = yield* requireExecution(policy, {
              kind: "shell",
              operation: "run",
              command: "deploy --to production"
            })
            return { toolCallId, name: "deploy", value: `did ${action.command}` }
          })
      }
    ])
  })
)

/** A broadcaster of our own: it keeps every event, then leaves the rest to the live one. */
const auditing = (audit: Array<AgentEvent>) =>
  Layer.succeed(
    EventBroadcaster,
    EventBroadcaster.of({
      open: (sessionId) => {
        const hub = EventBroadcaster.live.open(sessionId)
        return {
          publish: (event) => {
            audit.push(event)
            hub.publish(event)
          },
          subscribe: (options, ending) => hub.subscribe(options, ending),
          endRun: () => hub.endRun()
        }
      }
    })
  )

/** Everything but the gate. Of two layers with the same service the later one counts. */
const session = (audit: Array<AgentEvent>) =>
  AgentSession.layer({ model: { provider: "mock", model: "mock" } }).pipe(
    Layer.provide(Layer.mergeAll(layerDefaults, model, tools, auditing(audit)))
  )

/** One run, with its events read as a Stream beside it. */
const ship = Effect.gen(function* () {
  const { run, subscribe } = yield* AgentSession
  const events = yield* subscribe()
  const watching = yield* Effect.forkChild(Stream.runCollect(events))
  const { text } = yield* run("Ship it")
  return { text, events: yield* Fiber.join(watching) }
}).pipe(Effect.scoped)

/** What the model was told of its call. */
const outcomeOf = (events: ReadonlyArray<AgentEvent>): unknown =>
  events
    .map((event) => {
      if (event.type === "tool_execution_error") return event.error.message
      return event.type === "tool_execution_finished" ? event.result.value : undefined
    })
    .find((outcome) => outcome !== undefined)

/** Nobody answers: after 30 seconds, which the test clock lets pass, the gate refuses. */
const unanswered = Effect.gen(function* () {
  const asked = yield* Deferred.make<string>()
  const gate = ApprovalGate.layer({
    prompt: ({ title }) => Effect.andThen(Deferred.succeed(asked, title), Effect.never)
  })
  const audit: Array<AgentEvent> = []
  const shipping = yield* Effect.forkChild(Effect.provide(ship, Layer.provide(session(audit), gate)))
  const title = yield* Deferred.await(asked)
  yield* TestClock.adjust("30 seconds")
  const { events, text } = yield* Fiber.join(shipping)
  return { title, outcome: outcomeOf(events), text, told: events.length, audited: audit.length }
})

/** A gate of our own that asks nobody. */
const approved = Effect.gen(function* () {
  const gate = Layer.succeed(ApprovalGate, ApprovalGate.of({ ask: () => Effect.succeed({ approved: true }) }))
  const { events } = yield* Effect.provide(ship, Layer.provide(session([]), gate))
  return outcomeOf(events)
})

describe("layers composed by hand", () => {
  it.effect("refuse under a test clock what nobody answers in time", () =>
    Effect.gen(function* () {
      const { audited, outcome, text, title, told } = yield* unanswered
      assert.strictEqual(title, "Run deploy --to production?")
      assert.strictEqual(outcome, "Approval timed out after 30000 ms")
      assert.strictEqual(text, "That is all I can do.")
      assert.strictEqual(told, 18)
      assert.strictEqual(audited, 18)
    })
  )

  it.effect("take a gate of the host's in place of the live one", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* approved, "did deploy --to production")
    })
  )

  it.effect("tell a host's broadcaster every event in the order in which a Stream has them", () =>
    Effect.gen(function* () {
      const audit: Array<AgentEvent> = []
      const gate = Layer.succeed(ApprovalGate, ApprovalGate.of({ ask: () => Effect.succeed({ approved: false }) }))
      const { events } = yield* Effect.provide(ship, Layer.provide(session(audit), gate))
      assert.deepStrictEqual(
        audit.map(({ type }) => type),
        EVENTS
      )
      assert.deepStrictEqual(events, audit)
    })
  )

  it.effect("end a run and withdraw its question when its fiber is interrupted", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<AbortSignal>()
      const gate = ApprovalGate.layer({
        prompt: (_, { signal }) => Effect.andThen(Deferred.succeed(asked, signal), Effect.never)
      })
      const audit: Array<AgentEvent> = []
      const shipping = yield* Effect.forkChild(Effect.provide(ship, Layer.provide(session(audit), gate)))
      const signal = yield* Deferred.await(asked)
      yield* Fiber.interrupt(shipping)
      assert.isTrue(signal.aborted)
      assert.strictEqual(audit.at(-1)?.type, "error")
    })
  )

  it("are the ones that the docs show", () => {
    const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "effect-native.md"), "utf8")
    const program = page.split("```ts\n")[1]?.split("\n```")[0] ?? ""
    const [, ...paragraphs] = program.split("\n\n")
    // What stands last runs the program and prints; here the tests do that.
    const declarations = paragraphs.slice(0, -1).join("\n\n")
    assert.isAbove(declarations.length, 1000)
    assert.include(readFileSync(import.meta.filename, "utf8"), declarations)
  })
})

const EVENTS: ReadonlyArray<AgentEvent["type"]> = [
  "agent_started",
  "turn_started",
  "provider_turn_started",
  "message_started",
  "message_delta",
  "provider_turn_finished",
  "message_finished",
  "turn_finished",
  "tool_execution_started",
  "tool_execution_error",
  "turn_started",
  "provider_turn_started",
  "message_started",
  "message_delta",
  "provider_turn_finished",
  "message_finished",
  "turn_finished",
  "agent_finished"
]
