import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { AgentRunError } from "../../src/errors/AgentRunError.ts"
import { createMiddlewareRegistry } from "../../src/middleware/Middleware.ts"
import type { RetryContext, RetryDecision, RetryOptions, RetryPolicy } from "../../src/ports/AIProvider.ts"
import { createSecretRedactor } from "../../src/security/Redactor.ts"
import {
  eventsOf,
  failure,
  messageOf,
  recordingLedger,
  run,
  scripted,
  text,
  tool,
  toolCall,
  untyped
} from "../run/runs.ts"
import { clocked, settled } from "../session/effectSessions.ts"

const busy = { message: "overloaded", code: 503 }
const fails = [{ fail: Object.assign(new Error("overloaded"), { code: 503 }) }]
const always = (more: Partial<RetryDecision> = {}): RetryPolicy => ({ decide: () => ({ retry: true, ...more }) })

describe("a provider turn that is not retried", () => {
  it("S30: without retry, or when the run says false, the first failure is the last", async () => {
    for (const [agent, ofRun] of [
      [undefined, undefined],
      [{}, false],
      [false, undefined]
    ] as const) {
      const { provider, session } = scripted([fails, [text("a")]], { retry: agent })
      assert.strictEqual((await failure(run(session, "hi", { retry: ofRun }))).message, "overloaded")
      assert.lengthOf(provider.requests, 1)
    }
  })

  it("S31: once a message was started it is not, whatever the policy says", async () => {
    for (const started of [text("a"), { type: "message_start" } as const, toolCall("c", "t")]) {
      const { provider, session } = scripted([[started, ...fails], [text("b")]], { retry: { policy: always() } })
      assert.strictEqual((await failure(run(session))).message, "overloaded")
      assert.lengthOf(provider.requests, 1)
    }
  })

  it("S31: neither are a missing provider, a failed tool, a blocked call, nor what fails before the request", async () => {
    let asked = 0
    const policy: RetryPolicy = {
      decide: () => {
        asked += 1
        return { retry: true }
      }
    }
    const missing = scripted([[text("a")]], { provider: undefined, retry: { policy } })
    assert.strictEqual((await failure(run(missing.session))).message, "Unknown provider: mock")
    const tools = [
      tool("t", () => {
        throw new Error("timeout")
      })
    ]
    const failing = scripted([[toolCall("c", "t"), toolCall("d", "gone")], [text("a")]], { tools, retry: { policy } })
    assert.strictEqual((await run(failing.session)).text, "a")
    const refused = scripted([[text("a")]], {
      retry: { policy },
      providerRequestPolicies: {
        apply: () => {
          throw new Error("timeout")
        }
      }
    })
    assert.strictEqual((await failure(run(refused.session))).message, "timeout")
    assert.strictEqual(asked, 0)
  })

  it("S34: an abort of the provider's own is not, thrown or told, whatever else it says", async () => {
    const named = { name: "AbortError", message: "timeout", code: "ETIMEDOUT" }
    for (const step of [
      { fail: Object.assign(new Error("timeout"), named) },
      { type: "error", error: named } as const,
      { fail: new Error("connection aborted by timeout") }
    ]) {
      const { provider, session } = scripted([[step], [text("a")]], { retry: {} })
      await failure(run(session))
      assert.lengthOf(provider.requests, 1)
    }
  })

  it("S32: a policy or hook that answers with garbage fails the run, and the error says who", async () => {
    for (const garbage of [undefined, null, 7, {}, { retry: "yes" }]) {
      const { session } = scripted([fails], { retry: { policy: { decide: () => untyped(garbage) } } })
      assert.strictEqual(
        (await failure(run(session))).message,
        "The retry policy must return a decision with a boolean retry"
      )
      const middleware = createMiddlewareRegistry()
      middleware.use("retry", () => untyped({ decision: garbage }))
      const hooked = scripted([fails], { middleware, retry: {} })
      assert.strictEqual(
        (await failure(run(hooked.session))).message,
        "The retry middleware must return a decision with a boolean retry"
      )
    }
    const { session } = scripted([fails], {
      retry: {
        policy: {
          decide: () => {
            throw new Error("no idea")
          }
        }
      }
    })
    assert.strictEqual((await failure(run(session))).message, "no idea")
  })

  it("S33: bounds out of range are refused where they are given", async () => {
    const bad: ReadonlyArray<readonly [RetryOptions, string]> = [
      [{ maxAttempts: 0 }, "retry.maxAttempts must be a positive safe integer at most 100, not 0"],
      [{ baseDelayMs: -1 }, "retry.baseDelayMs must be a positive safe integer at most 2147483647, not -1"],
      [{ maxDelayMs: 1.5 }, "retry.maxDelayMs must be a positive safe integer at most 2147483647, not 1.5"]
    ]
    for (const [retry, message] of bad) {
      assert.throws(() => scripted([], { retry }), TypeError, message)
      const { session } = scripted([[text("a")]])
      assert.strictEqual(await messageOf(run(session, "hi", { retry })), message)
      assert.strictEqual((await run(session)).text, "a")
    }
  })

  it("S17: an abort from inside the policy, without anything to wait for, starts no attempt", async () => {
    const { provider, session } = scripted([fails, [text("a")]], {
      retry: {
        policy: {
          decide: () => {
            session.abort("from the policy")
            return { retry: true }
          }
        }
      }
    })
    assert.strictEqual((await failure(run(session))).result.abortReason, "from the policy")
    assert.lengthOf(provider.requests, 1)
  })

  it("refuses the turn behind the last one that limits allow", async () => {
    const { provider, session } = scripted([[toolCall("c", "t")]], {
      tools: [tool("t")],
      limits: { maxTurns: 2, maxToolRounds: 5 }
    })
    const { message, result } = await failure(run(session))
    assert.deepStrictEqual(
      [message, result.status, result.error?.code],
      ["Run limit reached: maxTurns 2", "failed", "ERR_PRISM_RUN_LIMIT"]
    )
    assert.lengthOf(provider.requests, 2)
  })

  it("runs none of the calls of a turn that asks for more than limits allow", async () => {
    let ran = 0
    const { session } = scripted([[toolCall("c", "t"), toolCall("d", "t")]], {
      tools: [tool("t", () => (ran += 1))],
      limits: { maxToolCalls: 1 }
    })
    assert.strictEqual((await failure(run(session))).message, "Run limit reached: maxToolCalls 1")
    assert.strictEqual(ran, 0)
  })
})

describe("a provider turn that is retried", () => {
  it("S32: in order, inside one turn", async () => {
    const { session } = scripted([fails, fails, [text("a"), { type: "done" }]], { retry: { baseDelayMs: 0 } })
    assert.deepStrictEqual(
      (await eventsOf(session)).map((event) =>
        event.type === "retry_scheduled" ? `retry ${event.attempt}` : event.type
      ),
      [
        "agent_started",
        "turn_started",
        "provider_turn_started",
        "provider_turn_finished",
        "retry 1",
        "provider_turn_started",
        "provider_turn_finished",
        "retry 2",
        "provider_turn_started",
        "message_started",
        "message_delta",
        "provider_turn_finished",
        "message_finished",
        "turn_finished",
        "agent_finished"
      ]
    )
  })

  it("S32: policy, then middleware, then the event, then the wait, then the next attempt", async () => {
    const order: Array<string> = []
    const middleware = createMiddlewareRegistry()
    middleware.use<{ readonly context: RetryContext; readonly decision: RetryDecision }>(
      "retry",
      ({ context, decision }) => {
        order.push(`middleware ${context.attempt} ${decision.delayMs}`)
        return { context, decision: { ...decision, delayMs: 1 } }
      }
    )
    const { ledger } = recordingLedger((row) => void (row === "event retry_scheduled" && order.push("event")))
    const { session } = scripted(
      [
        [{ run: () => order.push("attempt") }, ...fails],
        [{ run: () => order.push("attempt") }, text("a")]
      ],
      {
        middleware,
        runLedger: ledger,
        retry: {
          policy: {
            decide: ({ attempt, error, turn }) => {
              order.push(`policy ${turn} ${attempt} ${(error as Error).message}`)
              return Effect.succeed({ retry: true, delayMs: 7 })
            }
          }
        }
      }
    )
    const events = await eventsOf(session)
    assert.deepStrictEqual(order, ["attempt", "policy 1 1 overloaded", "middleware 1 7", "event", "attempt"])
    const scheduled = events.find(({ type }) => type === "retry_scheduled")
    assert.strictEqual(scheduled?.type === "retry_scheduled" ? scheduled.delayMs : undefined, 1)
  })

  it("S32: middleware may turn a retry down", async () => {
    const middleware = createMiddlewareRegistry()
    middleware.use("retry", () => untyped({ decision: { retry: false } }))
    const { provider, session } = scripted([fails], { middleware, retry: {} })
    await failure(run(session))
    assert.lengthOf(provider.requests, 1)
  })

  it("S30: reuses the prepared request: policies and hooks do not run again", async () => {
    let prepared = 0
    const middleware = createMiddlewareRegistry()
    middleware.use("provider_request", () => {
      prepared += 1
    })
    const { provider, session } = scripted([fails, fails, [text("a")]], {
      middleware,
      retry: { baseDelayMs: 0 },
      providerRequestPolicies: {
        apply: (request) => {
          prepared += 1
          return request
        }
      }
    })
    await run(session)
    assert.deepStrictEqual([prepared, provider.requests.length], [2, 3])
    assert.deepStrictEqual(provider.requests[2], provider.requests[0])
  })

  it.effect("S33: waits exactly as long as the policy says, and gives up after three attempts in all", () =>
    Effect.gen(function* () {
      const { events, provider, session } = yield* clocked([fails], { retry: {} })
      const running = yield* Effect.forkChild(Effect.flip(session.run("hi")))
      yield* settled
      assert.lengthOf(provider.requests, 1)
      yield* TestClock.adjust(99)
      yield* settled
      assert.lengthOf(provider.requests, 1)
      yield* TestClock.adjust(1)
      yield* settled
      assert.lengthOf(provider.requests, 2)
      yield* TestClock.adjust(199)
      yield* settled
      assert.lengthOf(provider.requests, 2)
      yield* TestClock.adjust(1)
      const error = yield* Fiber.join(running)
      assert.deepStrictEqual([error.message, provider.requests.length], ["overloaded", 3])
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "retry_scheduled" ? [[event.attempt, event.delayMs]] : [])),
        [
          [1, 100],
          [2, 200]
        ]
      )
    })
  )

  it.effect("S33: run options are laid over the agent's, and what the provider asks for counts, up to the most", () =>
    Effect.gen(function* () {
      const wanted = (retryAfterMs: number) => [{ type: "error", error: { ...busy, retryAfterMs } } as const]
      const { events, provider, session } = yield* clocked([wanted(50), wanted(90_000), [text("a")]], {
        retry: { maxAttempts: 2, maxDelayMs: 500 }
      })
      const running = yield* Effect.forkChild(session.run("hi", { retry: { maxAttempts: 3 } }))
      yield* settled
      yield* TestClock.adjust(50)
      yield* settled
      yield* TestClock.adjust(500)
      assert.strictEqual((yield* Fiber.join(running)).text, "a")
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "retry_scheduled" ? [event.delayMs] : [])),
        [50, 500]
      )
      assert.lengthOf(provider.requests, 3)
    })
  )

  it.effect("S18: an abort ends the wait at once; no further attempt", () =>
    Effect.gen(function* () {
      const { events, provider, session } = yield* clocked([fails, [text("a")]], {
        retry: { baseDelayMs: 60_000, maxDelayMs: 60_000 }
      })
      const running = yield* Effect.forkChild(Effect.flip(session.run("hi")))
      yield* settled
      assert.strictEqual(events.at(-1)?.type, "retry_scheduled")
      yield* session.abort("no patience")
      const error = yield* Fiber.join(running)
      assert.deepStrictEqual([error instanceof AgentRunError && error.result.abortReason], ["no patience"])
      yield* TestClock.adjust(120_000)
      yield* settled
      assert.lengthOf(provider.requests, 1)
      assert.strictEqual(events.at(-1)?.type, "error")
      assert.strictEqual((yield* session.run("again")).text, "a")
    })
  )

  it("S18: a delay of nothing leaves room for an abort, also when the policy never gives up", async () => {
    // It does give up, far away: without that room the test would not fail, it would never end.
    const policy: RetryPolicy = { decide: ({ attempt }) => ({ retry: attempt < 20_000 }) }
    const { provider, session } = scripted([fails], { retry: { policy } })
    const running = failure(run(session))
    setImmediate(() => setImmediate(() => session.abort("enough")))
    assert.strictEqual((await running).result.abortReason, "enough")
    assert.isAbove(provider.requests.length, 0)
  })

  it("S35, R15: secrets of the options and of the decision are removed from what a retry tells and ends with", async () => {
    const leaks = [{ fail: Object.assign(new Error("timeout for sk-a with sk-b at sk-c"), { code: 503 }) }]
    let left = 1
    const { session } = scripted([leaks], {
      redactor: createSecretRedactor(["sk-c"]),
      retry: {
        secrets: ["sk-a"],
        policy: { decide: () => ({ retry: left-- > 0, secrets: ["sk-b"] }) }
      }
    })
    const events = await eventsOf(session)
    const clean = "timeout for [REDACTED] with [REDACTED] at [REDACTED]"
    const messages = events.flatMap((event) =>
      "error" in event && event.error !== undefined ? [event.type, event.error.message] : []
    )
    assert.deepStrictEqual(messages, [
      "provider_turn_finished",
      "timeout for [REDACTED] with sk-b at [REDACTED]",
      "retry_scheduled",
      clean,
      "provider_turn_finished",
      "timeout for [REDACTED] with sk-b at [REDACTED]",
      "error",
      clean
    ])
  })

  it("S10: usage of a failed attempt is counted", async () => {
    const { ledger, rows } = recordingLedger()
    const { session } = scripted(
      [
        [{ type: "usage", usage: { inputTokens: 5 } }, ...fails],
        [text("a"), { type: "done", usage: { inputTokens: 7 } }]
      ],
      { retry: { baseDelayMs: 0 }, runLedger: ledger }
    )
    assert.deepStrictEqual((await run(session)).usage, { inputTokens: 12, totalTokens: 12 })
    assert.deepStrictEqual(
      rows.usage.map(({ attempt, scope, turn, usage }) => [scope, turn, attempt, usage.inputTokens]),
      [
        ["provider_turn", 1, 1, 5],
        ["provider_turn", 1, 2, 7],
        ["run_total", undefined, undefined, 12]
      ]
    )
  })
})
