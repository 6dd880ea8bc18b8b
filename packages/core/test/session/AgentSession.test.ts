import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { AgentRunError } from "../../src/errors/AgentRunError.ts"
import { layerDefaults } from "../../src/layer.ts"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import { Provider } from "../../src/provider/Provider.ts"
import { Permission } from "../../src/security/Permission.ts"
import { AgentSession } from "../../src/session/AgentSession.ts"
import { RunLedger } from "../../src/store/RunLedger.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { createScriptedProvider } from "../../src/testing/ScriptedProvider.ts"
import { Tools } from "../../src/tool/Tools.ts"
import { model, recordingLedger, text, tool, toolCall, typesOf, untyped } from "../run/runs.ts"
import { clocked, settled } from "./effectSessions.ts"

const hung = (finalized: Array<string>): ToolDefinition => ({
  name: "t",
  execute: () =>
    Effect.onInterrupt(Effect.never, () =>
      Effect.andThen(
        Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
        Effect.sync(() => finalized.push("t"))
      )
    )
})

describe("AgentSession", () => {
  it.effect("a bad setting is a defect; a bad option fails its run", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(clocked([], { model: untyped({ provider: "mock" }) }))
      assert.isTrue(Exit.isFailure(exit))
      const { session } = yield* clocked([[text("a")]])
      const error = yield* Effect.flip(session.run("hi", { maxToolRounds: 99 }))
      assert.instanceOf(error, TypeError)
      assert.strictEqual((yield* session.run("hi")).text, "a")
    })
  )

  it.effect("S7: a failed run fails with AgentRunError, which catchTag sees", () =>
    Effect.gen(function* () {
      const { session } = yield* clocked([[{ fail: new Error("down") }]])
      const caught = yield* session
        .run("hi")
        .pipe(Effect.catchTag("AgentRunError", ({ message }) => Effect.succeed(message)))
      assert.strictEqual(caught, "down")
    })
  )

  it.effect("S13, S17: interrupting the fiber of a run aborts it and waits for the finalizers of its tools", () =>
    Effect.gen(function* () {
      const finalized: Array<string> = []
      const { events, provider, session } = yield* clocked([[toolCall("c", "t")], [text("b")]], {}, [hung(finalized)])
      const fiber = yield* Effect.forkChild(session.run("hi"))
      yield* settled
      assert.strictEqual(events.at(-1)?.type, "tool_execution_started")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(finalized, ["t"])
      yield* settled
      assert.strictEqual(events.at(-1)?.type, "error")
      assert.lengthOf(provider.requests, 1)
      assert.strictEqual((yield* session.run("again")).text, "b")
    })
  )

  it.effect("S22: interrupting the fiber of a stream aborts its run and waits, also while nothing comes", () =>
    Effect.gen(function* () {
      const finalized: Array<string> = []
      const { session } = yield* clocked([[toolCall("c", "t")], [text("b")]], {}, [hung(finalized)])
      const fiber = yield* Effect.forkChild(Stream.runDrain(session.stream("hi")))
      yield* settled
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(finalized, ["t"])
      assert.strictEqual((yield* session.run("again")).text, "b")
    })
  )

  it.effect("S22: a stream that is taken from in part is aborted, and the next run may start at once", () =>
    Effect.gen(function* () {
      const { provider, session } = yield* clocked([[text("a"), { hang: true }], [text("b")]])
      const first = yield* session.stream("hi").pipe(
        Stream.filter(({ type }) => type === "message_delta"),
        Stream.take(1),
        Stream.runCollect
      )
      assert.lengthOf(first, 1)
      assert.deepStrictEqual([provider.closed, provider.open], [1, 0])
      assert.strictEqual((yield* session.run("again")).text, "b")
    })
  )

  it.effect("S20, S21: a stream is its run: nothing before it is run, its events, then its failure", () =>
    Effect.gen(function* () {
      const { provider, session } = yield* clocked([[text("a")], [{ fail: new Error("down") }]])
      const stream = session.stream("hi")
      yield* settled
      assert.lengthOf(provider.requests, 0)
      const events = yield* Stream.runCollect(stream)
      assert.deepStrictEqual(typesOf(events), [
        "agent_started",
        "turn_started",
        "message_started",
        "message_delta",
        "message_finished",
        "turn_finished",
        "agent_finished"
      ])
      const seen: Array<string> = []
      const error = yield* session.stream("hi").pipe(
        Stream.runForEach(({ type }) => Effect.sync(() => seen.push(type))),
        Effect.flip
      )
      assert.instanceOf(error, AgentRunError)
      assert.strictEqual(seen.at(-1), "error")
      const refused = yield* session.stream("hi", { maxToolRounds: 99 }).pipe(Stream.runDrain, Effect.flip)
      assert.instanceOf(refused, TypeError)
    })
  )

  it.effect(
    "E12, E17: events are subscribed at the first pull and end with the run; subscribe is at once, and until its scope closes",
    () =>
      Effect.gen(function* () {
        const { session } = yield* clocked([[text("a")]])
        const told = yield* session.subscribe()
        const first = yield* Effect.forkChild(Stream.runCollect(session.events))
        yield* settled
        yield* session.run("hi")
        assert.deepStrictEqual(typesOf(yield* Fiber.join(first)), typesOf(yield* Stream.runCollect(told)))
        const kept = yield* Effect.scoped(
          Effect.gen(function* () {
            const all = yield* session.subscribe({ until: "closed" })
            yield* session.run("hi")
            return all
          })
        )
        assert.deepStrictEqual(yield* Stream.runCollect(kept), [])
      })
  )

  it.effect("maxWallMs ends a run by the clock of the host, as failed, and aborts what is in it", () =>
    Effect.gen(function* () {
      const finalized: Array<string> = []
      const { events, provider, session } = yield* clocked(
        [[toolCall("c", "t")], [text("b")]],
        { limits: { maxWallMs: 10_000 } },
        [hung(finalized)]
      )
      const fiber = yield* Effect.forkChild(Effect.flip(session.run("hi", { limits: { maxWallMs: 500 } })))
      yield* settled
      yield* TestClock.adjust(499)
      yield* settled
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error.message, "Run limit reached: maxWallMs 500")
      assert.deepStrictEqual(
        error instanceof AgentRunError && [error.result.status, error.result.error?.code, error.result.abortReason],
        ["failed", "ERR_PRISM_RUN_LIMIT", undefined]
      )
      assert.deepStrictEqual([finalized, events.at(-1)?.type], [["t"], "error"])
      assert.isTrue(provider.requests[0]?.signal?.aborted)
      assert.strictEqual((yield* session.run("again")).text, "b")
      yield* TestClock.adjust(60_000)
    })
  )

  it.effect("the clock of a run that has ended ends nothing", () =>
    Effect.gen(function* () {
      const { session } = yield* clocked([[text("a")], [{ hang: true }]], { limits: { maxWallMs: 500 } })
      yield* session.run("one")
      yield* TestClock.adjust(400)
      const fiber = yield* Effect.forkChild(Effect.flip(session.run("two")))
      yield* settled
      yield* TestClock.adjust(499)
      yield* settled
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(fiber)).message, "Run limit reached: maxWallMs 500")
    })
  )

  it.effect("S25, S26, S27, S28: entries, checkout, fork and clone are Effects", () =>
    Effect.gen(function* () {
      const { session } = yield* clocked([[text("a")]])
      assert.isUndefined(yield* session.leafId)
      yield* session.run("one")
      const entries = yield* session.entries
      yield* session.checkout(entries[0]?.id)
      assert.strictEqual(yield* session.leafId, entries[0]?.id)
      const error = yield* Effect.flip(session.checkout("gone"))
      assert.strictEqual(untyped<Error>(error).message, "Unknown session leaf: gone")
      const fork = yield* session.fork()
      const clone = yield* session.clone({ id: "copy" })
      assert.deepStrictEqual([fork.id, clone.id, (yield* clone.entries).length], [session.id, "copy", 1])
      assert.strictEqual(
        untyped<Error>(yield* Effect.flip(session.clone({ leafId: "gone" }))).message,
        "Unknown session leaf: gone"
      )
    })
  )

  it.effect("P19, T11: is made of the services of its context, references included", () => {
    const { ledger, rows } = recordingLedger()
    const provider = createScriptedProvider([[toolCall("c", "t")], [text("a")]])
    const services = Layer.mergeAll(
      layerDefaults,
      Provider.layer(provider),
      Tools.layer([tool("t")]),
      Layer.succeed(RunLedger, ledger),
      Layer.succeed(Permission, { check: () => ({ allowed: false, reason: "not today" }) })
    )
    return Effect.gen(function* () {
      const session = yield* AgentSession
      const store = yield* SessionStore
      yield* session.run("hi")
      assert.deepStrictEqual(
        rows.toolCalls.map(({ reason, status }) => [status, reason]),
        [["blocked", "permission_denied"]]
      )
      const listed = store.list(session.id)
      const entries = yield* Effect.promise(() => Promise.resolve(listed as Promise<ReadonlyArray<unknown>>))
      assert.lengthOf(entries, 4)
    }).pipe(Effect.provide(Layer.provideMerge(AgentSession.layer({ model }), services)))
  })

  it.effect("P20: times are those of the host's clock", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust(5_000)
      const { session } = yield* clocked([[text("a")]])
      yield* session.run("hi")
      assert.deepStrictEqual(
        (yield* session.entries).map(({ timestamp }) => timestamp),
        ["1970-01-01T00:00:05.000Z", "1970-01-01T00:00:05.000Z"]
      )
    })
  )
})
