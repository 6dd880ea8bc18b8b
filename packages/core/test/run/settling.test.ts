import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { makeAgent } from "../../src/agent/Agent.ts"
import { createMockProvider } from "../../src/provider/MockProvider.ts"
import {
  providerDone,
  providerTextDelta,
  providerToolCall,
  toolCallContent
} from "../../src/provider/providerEvents.ts"
import { createSecretRedactor } from "../../src/security/Redactor.ts"
import { openSession } from "../../src/session/openSession.ts"
import { createMemorySessionStore } from "../../src/store/memory/MemorySessionStore.ts"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import { clocked, settled } from "../session/effectSessions.ts"
import { model } from "./runs.ts"

const done = [providerTextDelta("ok"), providerDone()]
const asks = [providerToolCall(toolCallContent("a", "stuck")), providerDone()]

/** What it holds is never let go of. */
const stuck: ToolDefinition = {
  name: "stuck",
  execute: () => Effect.uninterruptible(Effect.never)
}

describe("the end of a run", () => {
  it.effect("S2: does not wait for ever for a tool that cannot be interrupted", () =>
    Effect.gen(function* () {
      const { session } = yield* clocked([asks, done], {}, [stuck])
      const run = yield* Effect.forkChild(Effect.flip(session.run("Hi")))
      yield* settled
      yield* session.abort("enough")
      yield* TestClock.adjust(4_999)
      assert.isUndefined(run.pollUnsafe())
      yield* TestClock.adjust(1)
      const error = yield* Fiber.join(run)
      assert.strictEqual(error.message, "Agent run aborted")
      assert.strictEqual((yield* session.run("Again")).text, "ok")
    })
  )

  it.effect("P24: does not wait for ever for a ledger that never answers", () =>
    Effect.gen(function* () {
      const rows: Array<string | undefined> = []
      const runLedger = {
        appendRun: ({ status }: { readonly status?: string | undefined }) => {
          rows.push(status)
          return status === "running" ? undefined : new Promise<void>(() => undefined)
        },
        appendEvent: () => undefined,
        appendToolCall: () => undefined,
        appendUsage: () => undefined
      }
      const { session } = yield* clocked([done])
      const run = yield* Effect.forkChild(Effect.flip(session.run("Hi", { runLedger })))
      yield* settled
      yield* TestClock.adjust(15_000)
      yield* settled
      const error = yield* Fiber.join(run)
      assert.strictEqual(error.message, "Run ledger failed: no answer within 5000 ms")
      assert.strictEqual(rows[0], "running")
      assert.strictEqual((yield* session.run("Again")).text, "ok")
    })
  )

  it("R11: a secret within a session's id does not lose the session", async () => {
    const store = createMemorySessionStore()
    const agent = makeAgent({
      model,
      store,
      provider: createMockProvider([...done]),
      redactor: createSecretRedactor(["s3cret"])
    })
    const session = openSession(agent, { id: "u-s3cret" })
    await Effect.runPromise(session.run("my s3cret"))
    const entries = await Effect.runPromise(openSession(agent, { id: "u-s3cret" }).entries())
    assert.deepStrictEqual(
      entries.map(({ message, sessionId }) => [sessionId, message?.content[0]]),
      [
        ["u-s3cret", { type: "text", text: "my [REDACTED]" }],
        ["u-s3cret", { type: "text", text: "ok" }]
      ]
    )
  })

  it("S28: a clone refuses the id of a session that is there", async () => {
    const agent = makeAgent({ model, store: createMemorySessionStore(), provider: createMockProvider([...done]) })
    const one = openSession(agent, { id: "A" })
    const other = openSession(agent, { id: "B" })
    await Effect.runPromise(one.run("of A"))
    await Effect.runPromise(other.run("of B"))
    const error = await Effect.runPromise(Effect.flip(other.clone({ id: "A" })))
    assert.strictEqual(String(error), "Error: Session already exists: A")
    assert.lengthOf(await Effect.runPromise(openSession(agent, { id: "A" }).entries()), 2)
  })

  it("S13: many runs on one signal add one listener to it, and leave none", async () => {
    const { signal } = new AbortController()
    const counts = { added: 0, removed: 0 }
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    Object.assign(signal, {
      addEventListener: (...args: Parameters<typeof add>) => {
        counts.added += 1
        add(...args)
      },
      removeEventListener: (...args: Parameters<typeof remove>) => {
        counts.removed += 1
        remove(...args)
      }
    })
    const agent = makeAgent({ model, provider: createMockProvider([...done]) })
    await Promise.all(Array.from({ length: 20 }, () => Effect.runPromise(openSession(agent).run("Hi", { signal }))))
    assert.deepStrictEqual(counts, { added: 1, removed: 1 })
  })
})
