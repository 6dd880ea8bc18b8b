import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { LoopContext } from "../../src/ports/LoopStrategy.ts"
import {
  aMoment,
  collect,
  eventsOf,
  failure,
  messageOf,
  run,
  scripted,
  storedGist,
  text,
  tool,
  typesOf,
  untyped,
  user,
  own,
  withoutStrayRejections
} from "./runs.ts"

const call = { type: "tool_call", id: "c", name: "t", arguments: {} } as const

describe("a loop of the host that is wrong", () => {
  it("L31: one that throws, rejects or fails, fails the run, and the session goes on", () =>
    withoutStrayRejections(async () => {
      const bodies = [
        () => {
          throw new Error("loop")
        },
        () => Promise.reject(new Error("loop")),
        () => Effect.fail(new Error("loop")),
        () => Effect.die(new Error("loop"))
      ]
      for (const body of bodies) {
        const { session } = scripted([[text("a")]])
        const events = await eventsOf(session, "hi", own(body))
        assert.deepStrictEqual(typesOf(events), ["agent_started", "error"])
        assert.strictEqual((await failure(run(session, "hi", own(body)))).message, "loop")
        assert.strictEqual((await run(session)).text, "a")
      }
    }))

  it("L27: what it hands to its context and is none is refused, and the error says where", async () => {
    const mistakes: ReadonlyArray<readonly [(context: LoopContext) => unknown, string]> = [
      [({ generate }) => generate(untyped(undefined)), "generate needs a provider request with a model and messages"],
      [
        ({ generate }) => generate(untyped({ messages: [] })),
        "generate needs a provider request with a model and messages"
      ],
      [({ assemble }) => assemble(untyped(7)), "assemble: input must be text or a message, not number"],
      [
        ({ appendMessage }) => appendMessage(untyped(null)),
        "appendMessage: message must be text or a message, not null"
      ],
      [
        ({ appendMessage }) => appendMessage(untyped({ role: "user" })),
        "appendMessage: message.content must be an array of content blocks"
      ],
      [
        ({ dispatchToolCall }) => dispatchToolCall(untyped(null)),
        "dispatchToolCall: a tool call with id and name was expected"
      ],
      [({ emit }) => emit(untyped(undefined)), "emit: an agent event with a type was expected"]
    ]
    for (const [mistake, message] of mistakes) {
      const { provider, session } = scripted([[text("a")]])
      assert.strictEqual((await failure(run(session, "hi", own(mistake)))).message, message)
      assert.deepStrictEqual([provider.requests.length, await storedGist(session)], [0, ["user: hi"]])
      assert.strictEqual((await run(session)).text, "a")
    }
  })

  it("L27: such a mistake rejects, it does not throw past the loop's own catch", async () => {
    const caught: Array<string> = []
    const { session } = scripted([[text("a")]])
    await run(
      session,
      "hi",
      own(async ({ appendMessage, assemble, dispatchToolCall, generate }) => {
        for (const refused of [
          generate(untyped(1)),
          assemble(untyped(1)),
          appendMessage(untyped(1)),
          dispatchToolCall(untyped(1))
        ]) {
          await refused.catch(() => caught.push("caught"))
        }
      })
    )
    assert.lengthOf(caught, 4)
  })

  it("L29, L33: nothing of a context works behind its run", () =>
    withoutStrayRejections(async () => {
      const kept: Array<LoopContext> = []
      const { provider, session } = scripted([[text("a")]], { tools: [tool("t")] })
      await run(
        session,
        "hi",
        own((context) => void kept.push(context))
      )
      const [context] = kept
      if (context === undefined) throw new Error("no context")
      const told = session.subscribe({ until: "closed" })
      context.emit({ type: "turn_started", sessionId: "s", runId: "r", turn: 9 })
      void context.generate({ model: { provider: "mock", model: "m" }, messages: [] })
      assert.strictEqual(await messageOf(context.assemble([])), "Agent run has ended")
      assert.strictEqual(await messageOf(context.dispatchToolCall(call)), "Agent run has ended")
      assert.strictEqual(await messageOf(context.appendMessage(user("late"))), "Agent run has ended")
      await told.return?.()
      assert.deepStrictEqual(
        [await collect(told), provider.requests.length, await storedGist(session)],
        [[], 0, ["user: hi"]]
      )
    }))

  it("L33: what it left running is aborted when its run ends", async () => {
    const finalized: Array<string> = []
    const { provider, session } = scripted([[{ hang: true }], [text("b")]], {
      tools: [
        {
          name: "t",
          execute: () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => finalized.push("t")))
        }
      ]
    })
    await withoutStrayRejections(async () => {
      await run(
        session,
        "hi",
        own(async (context) => {
          void context.dispatchToolCall(call)
          void context.generate(await context.assemble([]))
          await aMoment()
        })
      )
    })
    assert.deepStrictEqual([finalized, provider.closed, provider.open], [["t"], 1, 0])
    assert.isTrue(provider.requests[0]?.signal?.aborted)
    assert.strictEqual((await run(session)).text, "b")
  })
})
