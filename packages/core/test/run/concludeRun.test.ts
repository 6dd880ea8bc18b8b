import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { makeAgent } from "../../src/agent/Agent.ts"
import { EventBroadcaster, type EventHub } from "../../src/broadcast/EventBroadcaster.ts"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import type { SecretRedactor } from "../../src/ports/Redaction.ts"
import { createSecretRedactor } from "../../src/security/Redactor.ts"
import { openSession } from "../../src/session/openSession.ts"
import { createScriptedProvider } from "../../src/testing/ScriptedProvider.ts"
import {
  eventsOf,
  failure,
  model,
  recordingLedger,
  run,
  scripted,
  storedGist,
  text,
  tool,
  toolCall,
  typesOf,
  untyped,
  withoutStrayRejections
} from "./runs.ts"

const usage = { type: "usage", usage: { inputTokens: 1 } } as const
const toolTurn = [text("a"), toolCall("c", "t"), usage]
const down = [{ fail: new Error("down") }]

describe("a run whose ledger fails", () => {
  /** Every row that a run with a tool writes. */
  const rows = [
    "event agent_started",
    "run running",
    "event turn_started",
    "event provider_turn_started",
    "event message_started",
    "event message_delta",
    "usage provider_turn",
    "event provider_turn_finished",
    "event message_finished",
    "event turn_finished",
    "event tool_execution_started",
    "tool started",
    "event tool_execution_finished",
    "tool finished",
    "usage run_total",
    "run succeeded",
    "event agent_finished"
  ]
  for (const refused of rows) {
    for (const [how, refuse] of [
      ["throws", () => untyped<void>(thrown())],
      ["rejects", () => Promise.reject(new Error("full"))],
      ["fails", () => Effect.fail(new Error("full"))]
    ] as const) {
      it(`P24, E2, S2: ${how} at ${refused}: the run fails, tells it once, and the session is free`, () =>
        withoutStrayRejections(async () => {
          let refuses = true
          const { ledger, rows: written } = recordingLedger((row) =>
            refuses && row === refused ? refuse() : undefined
          )
          const { provider, session } = scripted([toolTurn, [text("b")]], { runLedger: ledger, tools: [tool("t")] })
          const types: Array<string> = []
          const watching = session.subscribe()
          const error = await failure(run(session))
          for await (const { type } of watching) types.push(type)
          assert.deepStrictEqual(
            [error.message, error.result.status, error.result.error?.code],
            ["Run ledger failed: full", "failed", "ERR_PRISM_LEDGER"]
          )
          assert.strictEqual(types.at(-1), "error")
          assert.lengthOf(
            types.filter((type) => type === "error" || type === "agent_finished"),
            1
          )
          // None behind the one that was refused, but for those that wait in line behind a slow one.
          assert.strictEqual(written.order.indexOf(refused), written.order.lastIndexOf(refused))
          refuses = false
          const before = provider.requests.length
          assert.strictEqual((await run(session, "again", { maxToolRounds: 0 })).status, "succeeded")
          assert.isAbove(provider.requests.length, before)
        }))
    }
  }

  const thrown = (): never => {
    throw new Error("full")
  }

  it("P24: never corrupts the order of the transcript", async () => {
    const { ledger } = recordingLedger((row) =>
      row === "tool finished" ? Promise.reject(new Error("full")) : undefined
    )
    const { session } = scripted([toolTurn, [text("b")]], { runLedger: ledger, tools: [tool("t")] })
    await failure(run(session))
    assert.deepStrictEqual(await storedGist(session), ["user: hi", "assistant: a call t"])
  })
})

describe("the rows of a run", () => {
  it("P20, P22: running, then one terminal row with the same id and start; usage per attempt, then the total", async () => {
    const { ledger, rows } = recordingLedger()
    const { session } = scripted([toolTurn, [text("b"), { type: "done", usage: { inputTokens: 2 } }]], {
      runLedger: ledger,
      tools: [tool("t")],
      metadata: { m: 1 }
    })
    const { runId } = await run(session)
    const [running, succeeded, ...more] = rows.runs
    assert.lengthOf(more, 0)
    assert.deepStrictEqual(untyped(running), {
      id: runId,
      sessionId: session.id,
      model,
      provider: "mock",
      startedAt: running?.startedAt,
      metadata: { m: 1 },
      status: "running"
    })
    assert.deepStrictEqual(untyped(succeeded), {
      ...running,
      status: "succeeded",
      finishedAt: succeeded?.finishedAt
    })
    assert.match(succeeded?.finishedAt ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepStrictEqual(
      rows.usage.map(({ attempt, scope, turn, usage: { inputTokens } }) => [scope, turn, attempt, inputTokens]),
      [
        ["provider_turn", 1, 1, 1],
        ["provider_turn", 2, 1, 2],
        ["run_total", undefined, undefined, 3]
      ]
    )
  })

  it("P22: without usage there is no usage row, and a failed run has no total", async () => {
    const none = recordingLedger()
    await run(scripted([[text("a")]], { runLedger: none.ledger }).session)
    assert.deepStrictEqual(none.rows.usage, [])
    const failed = recordingLedger()
    await failure(run(scripted([[usage, ...down]], { runLedger: failed.ledger }).session))
    assert.deepStrictEqual(
      failed.rows.usage.map(({ scope }) => scope),
      ["provider_turn"]
    )
  })

  it("P20: a failed run's row has its error, an aborted one's its reason too", async () => {
    const { ledger, rows } = recordingLedger()
    const { session } = scripted([down, [{ run: () => session.abort("why") }, { hang: true }]], { runLedger: ledger })
    await failure(run(session))
    await failure(run(session))
    assert.deepStrictEqual(
      rows.runs
        .filter(({ status }) => status !== "running")
        .map(({ abortReason, error, status }) => [status, error, abortReason]),
      [
        ["failed", { name: "Error", message: "down" }, undefined],
        ["aborted", { name: "Error", message: "Agent run aborted" }, "why"]
      ]
    )
  })

  it("P21: event rows are the events, redacted, in the order they are told", async () => {
    const { ledger, rows } = recordingLedger(() => Promise.resolve())
    const { session } = scripted([[text("sk-1 said"), ...toolTurn], [text("b")]], {
      runLedger: ledger,
      tools: [tool("t", () => "sk-1")],
      redactor: createSecretRedactor(["sk-1"])
    })
    const events = await eventsOf(session, "tell sk-1")
    assert.deepStrictEqual(
      rows.events.map(({ event }) => event),
      events
    )
    assert.deepStrictEqual(
      rows.events.map(({ type }) => type),
      events.map(({ type }) => type)
    )
    assert.isTrue(rows.events.every(({ redacted }) => redacted))
    assert.notInclude(JSON.stringify(rows), "sk-1")
  })

  it("P19, P23: the run's ledger, ownership and key win over the agent's, and every row carries the ownership", async () => {
    const [ofAgent, ofRun] = [recordingLedger(), recordingLedger()]
    const { session } = scripted([toolTurn, [text("b")]], {
      runLedger: ofAgent.ledger,
      ownership: { tenantId: "agent" },
      idempotencyKey: "agent-key",
      tools: [tool("t")]
    })
    await run(session, "hi", {
      runLedger: ofRun.ledger,
      ownership: { tenantId: "run", userId: "u" },
      idempotencyKey: "run-key"
    })
    assert.lengthOf(ofAgent.rows.order, 0)
    const { events, runs, toolCalls, usage: used } = ofRun.rows
    for (const row of [...events, ...runs, ...toolCalls, ...used]) {
      assert.deepStrictEqual([row.tenantId, row.userId], ["run", "u"])
    }
    assert.deepStrictEqual(
      runs.map(({ idempotencyKey }) => idempotencyKey),
      ["run-key", "run-key"]
    )
    await run(session)
    assert.deepStrictEqual(
      ofAgent.rows.runs.map(({ idempotencyKey, tenantId }) => [idempotencyKey, tenantId]),
      [
        ["agent-key", "agent"],
        ["agent-key", "agent"]
      ]
    )
    assert.isFalse(ofAgent.rows.events[0]?.redacted)
  })
})

describe("a run whose redactor fails", () => {
  const failing = (fails: (value: unknown) => boolean): SecretRedactor => ({
    redact: (value) => {
      if (fails(value)) throw new Error("cannot redact sk-1")
      return value
    }
  })
  const hidden = "Agent run failed with an error that the redactor could not redact"

  it("R10, S2: on everything: the run fails without the error, and the session is free", () =>
    withoutStrayRejections(async () => {
      const { ledger, rows } = recordingLedger()
      const { provider, session } = scripted([[text("a")]], { runLedger: ledger })
      const options = { redactor: failing(() => true) }
      const events = await eventsOf(session, "hi", options)
      const error = await failure(run(session, "hi", options))
      assert.deepStrictEqual([error.message, provider.requests.length, rows.runs.length], [hidden, 0, 0])
      assert.notInclude(JSON.stringify(events), "sk-1")
      assert.deepStrictEqual(typesOf(events), ["error"])
      assert.strictEqual((await run(session)).text, "a")
    }))

  it("R10: on errors alone: a failed run still ends, with everything but the error", async () => {
    const { session } = scripted([down, [text("a")]])
    const redactor = failing(
      (value) => typeof value === "object" && value !== null && "message" in value && !("kind" in value)
    )
    const error = await failure(run(session, "hi", { redactor }))
    assert.deepStrictEqual([error.message, error.result.status], [hidden, "failed"])
    assert.strictEqual((await run(session)).text, "a")
  })
})

describe("a run that is redacted", () => {
  it("R11, R13: in events, entries, requests, tool results and the result's error", async () => {
    const { provider, session } = scripted(
      [[text("I know sk-1"), toolCall("c", "t", { key: "sk-1" })], [{ fail: new Error("leaked sk-1") }]],
      { tools: [tool("t", () => ({ found: "sk-1" }))], redactor: createSecretRedactor(["sk-1"]) }
    )
    const events: Array<AgentEvent> = []
    const watching = session.subscribe()
    const error = await failure(run(session, "use sk-1"))
    for await (const event of watching) events.push(event)
    const entries = await Effect.runPromise(session.entries())
    assert.notInclude(JSON.stringify([events, entries, provider.requests, error.result.error]), "sk-1")
    assert.strictEqual(error.message, "leaked [REDACTED]")
    assert.deepStrictEqual(await storedGist(session), [
      "user: use [REDACTED]",
      "assistant: I know [REDACTED] call t",
      'tool: result {"found":"[REDACTED]"}'
    ])
  })

  it("E1: also the refusal of a second run", async () => {
    const { session } = scripted([[text("a")]])
    const watching = session.subscribe()
    const first = run(session)
    await failure(run(session, "hi", { redactor: createSecretRedactor(["active"]) }))
    await first
    const told: Array<string> = []
    for await (const event of watching) if (event.type === "error") told.push(event.error.message)
    assert.deepStrictEqual(told, ["Agent session already has an [REDACTED] run"])
  })

  it("R12: what the host itself gets back is its own, but for the error", async () => {
    const { session } = scripted([[text("a")]], { redactor: createSecretRedactor(["sk-1"]) })
    const original = new Error("leaked sk-1")
    const failing = scripted([[{ fail: original }]], { redactor: createSecretRedactor(["sk-1"]) })
    assert.strictEqual((await run(session)).text, "a")
    const error = await failure(run(failing.session))
    assert.strictEqual(error.result.error?.message, "leaked [REDACTED]")
  })

  it("R14: only for the run whose redactor it is", async () => {
    const { provider, session } = scripted([[text("a")]])
    await run(session, "one sk-1", { redactor: createSecretRedactor(["sk-1"]) })
    await run(session, "two sk-1")
    assert.deepStrictEqual(await storedGist(session), [
      "user: one [REDACTED]",
      "assistant: a",
      "user: two sk-1",
      "assistant: a"
    ])
    await run(session, "three", { redactor: createSecretRedactor(["sk-1"]) })
    assert.notInclude(JSON.stringify(provider.requests[2]?.messages), "sk-1")
  })

  it("R13: a permission reason, a validator's answer and a tool's error that echo a secret", async () => {
    const redactor = createSecretRedactor(["sk-1"])
    const denied = scripted([[toolCall("c", "t")], [text("b")]], {
      redactor,
      tools: [tool("t")],
      permission: { check: () => ({ allowed: false, reason: "not with sk-1" }) }
    })
    const invalid = scripted([[toolCall("c", "t")], [text("b")]], {
      redactor,
      tools: [tool("t")],
      validator: () => "bad sk-1"
    })
    const throwing = scripted([[toolCall("c", "t")], [text("b")]], {
      redactor,
      tools: [
        tool("t", () => {
          throw new Error("failed with sk-1")
        })
      ]
    })
    for (const { provider, session } of [denied, invalid, throwing]) {
      const events = await eventsOf(session)
      const entries = await Effect.runPromise(session.entries())
      assert.notInclude(JSON.stringify([events, entries, provider.requests]), "sk-1")
      assert.include(JSON.stringify(provider.requests[1]?.messages), "[REDACTED]")
    }
  })
})

describe("a broadcaster of the host", () => {
  it("S2: that throws at the end does not keep the session", async () => {
    const hub: EventHub = {
      publish: ({ type }) => {
        if (type === "agent_finished") throw new Error("broken hub")
      },
      subscribe: () => {
        throw new Error("nobody")
      },
      endRun: () => undefined
    }
    const context = Context.make(EventBroadcaster, { open: () => hub })
    const provider = createScriptedProvider([[text("a")]])
    const session = openSession(makeAgent({ model, provider }, untyped<Context.Context<never>>(context)))
    await withoutStrayRejections(async () => {
      assert.strictEqual((await run(session)).text, "a")
      assert.strictEqual((await run(session)).text, "a")
    })
  })
})
