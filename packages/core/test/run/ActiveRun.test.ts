import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { aMoment, failure, gate, rejection, run, scripted, text, tool, toolCall } from "./runs.ts"

const never = new Promise<never>(() => undefined)
const pool = { strategy: "single-shot", toolConcurrency: 3 } as const

describe("an abort before the start", () => {
  it("S16, S3: by a signal that is aborted already: no start, no provider, one error event, and its reason", async () => {
    const { provider, session } = scripted([[text("a")]])
    const seen: Array<string> = []
    const events = session.subscribe()
    const { message, result } = await failure(run(session, "hi", { signal: AbortSignal.abort("too late") }))
    for await (const { type } of events) seen.push(type)
    assert.deepStrictEqual(
      [message, result.status, result.abortReason, seen, provider.requests.length],
      ["Agent run aborted", "aborted", "too late", ["error"], 0]
    )
    assert.strictEqual((await run(session)).text, "a")
  })

  it("S6: its result has the tip of the branch", async () => {
    const { session } = scripted([[text("a")]])
    await run(session)
    const { result } = await failure(run(session, "hi", { signal: AbortSignal.abort() }))
    assert.deepStrictEqual([result.leafId, result.text], [session.leafId, ""])
    assert.isDefined(result.leafId)
  })

  it("S13: without an active run an abort does nothing", async () => {
    const { session } = scripted([[text("a")]])
    session.abort("nobody")
    assert.strictEqual((await run(session)).text, "a")
    session.abort("nobody")
    assert.strictEqual((await run(session)).text, "a")
  })

  it("S13: right behind the start it is in time for everything", async () => {
    const { provider, session } = scripted([[text("a")]])
    const running = failure(run(session))
    session.abort("at once")
    assert.strictEqual((await running).result.abortReason, "at once")
    assert.lengthOf(provider.requests, 0)
  })
})

describe("the reason of an abort", () => {
  const reasonFor = async (reason: unknown) => {
    const asked = gate()
    const { session } = scripted([[{ run: () => asked.open() }, { hang: true }]])
    const running = failure(run(session))
    await asked.promise
    session.abort(reason)
    const { cause, message, result } = await running
    return { cause, message, abortReason: result.abortReason, code: result.error?.code }
  }

  it("S15: an Error is what is thrown and told; anything else says that the run was aborted, and stands beside it", async () => {
    const mine = Object.assign(new Error("mine"), { code: "E_MINE" })
    assert.deepStrictEqual(await reasonFor(mine), {
      cause: mine,
      message: "mine",
      abortReason: "Error: mine",
      code: "E_MINE"
    })
    for (const [reason, abortReason] of [
      ["text", "text"],
      [7, "7"],
      [null, "null"],
      [{ why: "x" }, "[object Object]"]
    ] as const) {
      const { abortReason: told, message } = await reasonFor(reason)
      assert.deepStrictEqual([message, told], ["Agent run aborted", abortReason])
    }
  })

  it("S15: without one there is still something to read", async () => {
    const { abortReason, message } = await reasonFor(undefined)
    assert.deepStrictEqual([message, abortReason], ["Agent run aborted", "Error: Agent run aborted"])
  })

  it("S15: one that cannot be read ends the run all the same", async () => {
    assert.strictEqual((await reasonFor(Object.create(null))).abortReason, "[Unreadable]")
    assert.strictEqual((await reasonFor(Symbol("s"))).abortReason, "Symbol(s)")
  })

  it("S13: the first of several counts", async () => {
    const asked = gate()
    const controller = new AbortController()
    const { session } = scripted([[{ run: () => asked.open() }, { hang: true }]])
    const running = failure(run(session, "hi", { signal: controller.signal }))
    await asked.promise
    session.abort("first")
    controller.abort("second")
    session.abort("third")
    assert.strictEqual((await running).result.abortReason, "first")
  })

  it("S14: the signal's reason is what the run fails with", async () => {
    let signal: AbortSignal | undefined
    const { session } = scripted([
      [{ run: (request) => void (signal = request.signal) }, { run: () => session.abort("why") }, { hang: true }]
    ])
    const { cause } = await failure(run(session))
    assert.strictEqual(signal?.reason, cause)
  })
})

describe("an abort from inside", () => {
  it("S17, S19: by a tool that answers at once: it is the last that runs, and its result is not stored", async () => {
    for (const loop of [{ strategy: "single-shot" } as const, pool]) {
      const ran: Array<string> = []
      const { provider, session } = scripted([[toolCall("c", "t"), toolCall("d", "t")], [text("never")]], {
        loop,
        tools: [
          tool("t", (_, { toolCallId }) => {
            ran.push(toolCallId)
            session.abort("by the tool")
          })
        ]
      })
      const { result } = await failure(run(session))
      assert.strictEqual(result.abortReason, "by the tool")
      assert.deepStrictEqual([ran, provider.requests.length], [["c"], 1])
      const entries = await Effect.runPromise(session.entries())
      assert.deepStrictEqual(
        entries.map(({ message }) => message?.role),
        ["user", "assistant"]
      )
    }
  })

  it("S17: by a tool that then hands over an Effect: the Effect does not begin", async () => {
    let began = false
    const { session } = scripted([[toolCall("c", "t")]], {
      tools: [
        {
          name: "t",
          execute: (_, { toolCallId }) => {
            session.abort("by the tool")
            return Effect.sync(() => {
              began = true
              return { toolCallId, name: "t" }
            })
          }
        }
      ]
    })
    await failure(run(session))
    assert.isFalse(began)
  })

  it("S17: by an Effect that stops its own run first: its finalizers have run when the run has settled", async () => {
    const finalized: Array<string> = []
    const { session } = scripted([[toolCall("c", "t")]], {
      tools: [
        {
          name: "t",
          execute: () =>
            Effect.sync(() => session.abort("by the Effect")).pipe(
              Effect.andThen(Effect.never),
              Effect.onInterrupt(() =>
                Effect.andThen(
                  Effect.promise(aMoment),
                  Effect.sync(() => finalized.push("t"))
                )
              )
            )
        }
      ]
    })
    await failure(run(session))
    assert.deepStrictEqual(finalized, ["t"])
  })

  it("S2: a nested run ends with the call that started it, before the outer one has settled", async () => {
    const asked = gate()
    const inner = scripted([[{ run: () => asked.open() }, { hang: true }], [text("b")]])
    const outer = scripted([[toolCall("c", "delegate")]], {
      tools: [
        {
          name: "delegate",
          execute: (_, { toolCallId }) =>
            Effect.map(inner.session.run("sub"), ({ text: value }) => ({ toolCallId, name: "delegate", value }))
        }
      ]
    })
    const running = failure(run(outer.session))
    await asked.promise
    outer.session.abort("outer")
    assert.strictEqual((await running).result.abortReason, "outer")
    assert.deepStrictEqual([inner.provider.closed, inner.provider.open], [1, 0])
    assert.strictEqual((await run(inner.session)).text, "b")
  })
})

describe("the end of a run", () => {
  it("S14: a failed run aborts what is still at work in it", async () => {
    const signals: Array<AbortSignal | undefined> = []
    const { session } = scripted([[toolCall("c", "p"), toolCall("d", "t")]], {
      loop: pool,
      runLedger: {
        appendRun: () => undefined,
        appendEvent: () => undefined,
        appendUsage: () => undefined,
        appendToolCall: ({ name }) => {
          if (name === "t") throw new Error("full")
        }
      },
      tools: [
        {
          name: "p",
          execute: (_, { signal }) => {
            signals.push(signal)
            return never
          }
        },
        tool("t")
      ]
    })
    assert.strictEqual((await failure(run(session))).message, "Run ledger failed: full")
    assert.deepStrictEqual(
      signals.map((signal) => signal?.aborted),
      [true]
    )
  })

  it("a run that succeeded leaves its signal alone", async () => {
    const { provider, session } = scripted([[text("a")]])
    await run(session)
    session.abort("late")
    assert.isFalse(provider.requests[0]?.signal?.aborted)
  })

  it("what a subscriber does to itself when the run is aborted is not the run's", async () => {
    const { session } = scripted([[{ run: () => session.abort("stop") }, { hang: true }]])
    const events = session.subscribe()
    const thrower = (async () => {
      for await (const { type } of events) if (type === "turn_started") throw new Error("subscriber")
    })()
    const running = failure(run(session))
    assert.strictEqual(((await rejection(thrower)) as Error).message, "subscriber")
    assert.strictEqual((await running).result.abortReason, "stop")
  })
})
