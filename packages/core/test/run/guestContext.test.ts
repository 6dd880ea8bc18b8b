import { assert, describe, it } from "@effect/vitest"
import { dispatchToolCallsInOrder } from "../../src/dispatch/dispatchToolCallsInOrder.ts"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import type { LoopContext } from "../../src/ports/LoopStrategy.ts"
import { createSecretRedactor } from "../../src/security/Redactor.ts"
import {
  aMoment,
  eventsOf,
  failure,
  gate,
  gist,
  own,
  recordingLedger,
  run,
  scripted,
  storedGist,
  text,
  tool,
  toolCall,
  user,
  withoutStrayRejections
} from "./runs.ts"

const call = { type: "tool_call", id: "c", name: "t", arguments: {} } as const

describe("a loop of the host", () => {
  it("L33: gets one plain object whose functions may be taken out of it", async () => {
    const { session } = scripted([[text("a"), toolCall("c", "t")]], { tools: [tool("t", () => 1)] })
    const events: Array<string> = []
    const seen = session.subscribe()
    await run(
      session,
      "hi",
      own(async (context) => {
        assert.strictEqual(Object.getPrototypeOf(context), Object.prototype)
        const { appendMessage, assemble, dispatchToolCall, emit, generate, isToolCallExclusive } = context
        const turn = await generate(await assemble(context.inputMessages))
        emit({ type: "queue_updated", sessionId: context.sessionId, runId: context.runId, size: 1 })
        for (const asked of turn.calls) {
          assert.isFalse(isToolCallExclusive?.(asked))
          assert.strictEqual((await dispatchToolCall(asked)).value, 1)
        }
        await appendMessage(user("from the loop"))
      })
    )
    for await (const { type } of seen) events.push(type)
    assert.include(events, "queue_updated")
    assert.deepStrictEqual(await storedGist(session), ["user: hi", "user: from the loop"])
  })

  it("L27: stores and tells nothing of itself; the runtime tells start, end, provider turns and deltas", async () => {
    const { session } = scripted([[text("a"), text("b")]])
    const events = await eventsOf(
      session,
      "hi",
      own(async ({ assemble, generate }) => generate(await assemble([])))
    )
    assert.deepStrictEqual(
      events.map(({ type }) => type),
      [
        "agent_started",
        "provider_turn_started",
        "message_started",
        "message_delta",
        "message_delta",
        "provider_turn_finished",
        "agent_finished"
      ]
    )
    assert.deepStrictEqual(await storedGist(session), ["user: hi"])
  })

  it("L28: generates without assembling; its turns count, and their usage", async () => {
    const { provider, session } = scripted([[text("a"), { type: "usage", usage: { inputTokens: 2 } }]])
    const result = await run(
      session,
      "hi",
      own(async ({ generate }) => {
        const request = { model: { provider: "p", model: "q" }, messages: [user("made up")] }
        await generate(request)
        await generate(request)
        return { inputTokens: 99 }
      })
    )
    assert.deepStrictEqual([result.usage, result.text], [{ inputTokens: 4, totalTokens: 4 }, "a"])
    assert.deepStrictEqual(gist(provider.requests[0]?.messages ?? []), ["user: made up"])
    assert.strictEqual(provider.requests[0]?.model.model, "q")
  })

  it("L29: retry and exclusivity stay the runtime's", async () => {
    const order: Array<string> = []
    const slow = (name: string, exclusive: boolean) => ({
      ...tool(name),
      exclusive,
      execute: async (_: unknown, { toolCallId }: { readonly toolCallId: string }) => {
        order.push(`+${name}`)
        await aMoment()
        order.push(`-${name}`)
        return { toolCallId, name }
      }
    })
    const { provider, session } = scripted(
      [[{ fail: Object.assign(new Error("x"), { code: 503 }) }], [toolCall("a", "one"), toolCall("b", "two")]],
      { retry: { baseDelayMs: 0 }, tools: [slow("one", false), slow("two", true)] }
    )
    await run(
      session,
      "hi",
      own(async (context) => {
        const { calls } = await context.generate(await context.assemble([]))
        await dispatchToolCallsInOrder(calls, { ...context, toolConcurrency: 4 })
      })
    )
    assert.deepStrictEqual([order, provider.requests.length], [["+one", "-one", "+two", "-two"], 2])
  })

  it("L29, S13: an abort rejects what it waits for, so that its own clean-up runs", () =>
    withoutStrayRejections(async () => {
      const waits: ReadonlyArray<(context: LoopContext, reached: () => void) => Promise<unknown>> = [
        async ({ assemble, generate }) => generate(await assemble([])),
        ({ dispatchToolCall }) => dispatchToolCall(call),
        async ({ dispatchToolCall }) => {
          // Both fail, and the second one is nobody's any more.
          const both = [dispatchToolCall(call), dispatchToolCall({ ...call, id: "d" })] as const
          await both[0]
          return both[1]
        }
      ]
      for (const wait of waits) {
        const reached = gate()
        const cleaned: Array<unknown> = []
        const { session } = scripted([[{ run: () => reached.open() }, { hang: true }]], {
          tools: [
            {
              name: "t",
              execute: () => {
                reached.open()
                return new Promise<never>(() => undefined)
              }
            }
          ]
        })
        const reason = new Error("mine")
        const running = failure(
          run(
            session,
            "hi",
            own(async (context) => {
              try {
                await wait(context, reached.open)
              } catch (error) {
                cleaned.push(error)
                throw error
              }
            })
          )
        )
        await reached.promise
        session.abort(reason)
        assert.strictEqual((await running).result.status, "aborted")
        await aMoment()
        assert.deepStrictEqual(cleaned, [reason])
      }
    }))

  it("S13: every turn that it has under way at once is closed by an abort", async () => {
    const reached = gate()
    let asked = 0
    const hung = [{ run: () => void ((asked += 1) === 3 && reached.open()) }, { hang: true }] as const
    const { provider, session } = scripted([hung, hung, hung])
    const running = failure(
      run(
        session,
        "hi",
        own(async ({ assemble, generate }) => {
          const request = await assemble([])
          await Promise.all([generate(request), generate(request), generate(request)])
        })
      )
    )
    await reached.promise
    session.abort("stop")
    await running
    assert.deepStrictEqual([provider.requests.length, provider.closed, provider.open], [3, 3, 0])
  })

  it("L30, L32: sees no known secret: input, history, metadata and the assembled request are clean", async () => {
    const secret = { redactor: createSecretRedactor(["sk-1"]) }
    const { provider, session } = scripted([[text("known: sk-1")]], {
      instructions: "use sk-1",
      metadata: { key: "sk-1" }
    })
    await run(session, "stored sk-1")
    const seen: Array<unknown> = []
    await run(session, "new sk-1", {
      ...secret,
      ...own(async (context) => {
        const { history, input, inputMessages, metadata } = context
        const request = await context.assemble(inputMessages)
        seen.push(history, input, inputMessages, metadata, { ...request, signal: undefined })
        assert.deepStrictEqual(gist(history), ["user: stored [REDACTED]", "assistant: known: [REDACTED]"])
        const { content } = await context.generate({ ...request, messages: [...request.messages, user("again sk-1")] })
        seen.push(content)
      })
    })
    assert.notInclude(JSON.stringify([seen, provider.requests[1]]), "sk-1")
    assert.include(JSON.stringify(provider.requests[1]?.messages), "again [REDACTED]")
    assert.notInclude(Object.keys(seen), "provider")
  })

  it("L32: works on a history of its own: what it does to it, the next run does not see", async () => {
    const { provider, session } = scripted([[text("a")]])
    await run(session, "one")
    await run(
      session,
      "two",
      own(({ history }) => {
        history.length = 0
        history.push(user("made up"))
      })
    )
    await run(session, "three")
    assert.deepStrictEqual(gist(provider.requests[1]?.messages ?? []), [
      "user: one",
      "assistant: a",
      "user: two",
      "user: three"
    ])
  })

  it("L30: has no provider, credential, store or ledger in its context", async () => {
    const { ledger } = recordingLedger()
    const { session } = scripted([[text("a")]], { runLedger: ledger })
    let keys: ReadonlyArray<string> = []
    await run(
      session,
      "hi",
      own((context) => void (keys = Object.keys(context).toSorted()))
    )
    assert.deepStrictEqual(keys, [
      "appendMessage",
      "assemble",
      "dispatchToolCall",
      "emit",
      "generate",
      "history",
      "input",
      "inputMessages",
      "isToolCallExclusive",
      "maxToolRounds",
      "metadata",
      "runId",
      "sessionId",
      "signal",
      "toolConcurrency",
      "toolPool"
    ])
  })

  it("P24: a ledger that refuses what it emits fails the run even if it looks away", () =>
    withoutStrayRejections(async () => {
      for (const refuse of [
        () => Promise.reject(new Error("full")),
        (): never => {
          throw new Error("full")
        }
      ]) {
        const { ledger } = recordingLedger((row) => (row === "event queue_updated" ? refuse() : undefined))
        const { session } = scripted([[text("a")]], { runLedger: ledger })
        const event: AgentEvent = { type: "queue_updated", sessionId: "s", runId: "r", size: 1 }
        const emitting = own(({ emit }) => {
          try {
            emit(event)
          } catch {
            // It looks away.
          }
        })
        assert.strictEqual((await failure(run(session, "hi", emitting))).message, "Run ledger failed: full")
      }
    }))
})
