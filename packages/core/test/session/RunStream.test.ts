import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AgentRunError } from "../../src/errors/AgentRunError.ts"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import {
  aMoment,
  collect,
  failure,
  gate,
  messageOf,
  rejection,
  run,
  scripted,
  storedGist,
  text,
  toolCall,
  typesOf,
  untyped,
  withoutStrayRejections
} from "../run/runs.ts"

const done = { type: "done" } as const
const DONE = { value: undefined, done: true } as const
const textRun = [
  "agent_started",
  "turn_started",
  "message_started",
  "message_delta",
  "message_finished",
  "turn_finished",
  "agent_finished"
]
/** What a stream says, and what it rejects with. */
const readAll = async (stream: AsyncIterable<AgentEvent>) => {
  const events: Array<AgentEvent> = []
  try {
    for await (const event of stream) events.push(event)
  } catch (error) {
    return { types: typesOf(events), events, error }
  }
  return { types: typesOf(events), events, error: undefined }
}

describe("stream", () => {
  it("S23: on a busy session yields nothing of the other run and rejects at once, which subscribers are told", async () => {
    const asked = gate()
    const { session } = scripted([[text("a"), { run: () => asked.open() }, { hang: true }]])
    const watching = session.subscribe({ until: "closed" })
    const running = failure(run(session))
    await asked.promise
    const stream = session.stream("other")
    const [first, second, third] = [rejection(stream.next()), stream.next(), stream.next()]
    const error = await first
    assert.instanceOf(error, AgentRunError)
    assert.strictEqual(error.message, "Agent session already has an active run")
    assert.deepStrictEqual([await second, await third, await stream.next()], [DONE, DONE, DONE])
    assert.deepStrictEqual(await stream.return?.(), DONE)
    session.abort("stop")
    assert.strictEqual((await running).result.abortReason, "stop")
    await watching.return?.()
    assert.deepStrictEqual(await readAll(watching), { types: [], events: [], error: undefined })
  })

  it("S20: a bad option or input rejects the first next() and starts nothing; return() does not wait for a run", async () => {
    const { provider, session } = scripted([[text("a")]])
    const bad = [
      [session.stream(untyped(7)), "input must be text or a message, not number"],
      [session.stream("hi", { maxToolRounds: -1 }), "maxToolRounds must be a positive safe integer at most 64"],
      [
        session.stream("hi", { overflow: untyped("drop") }),
        "overflow must be close, drop_oldest or drop_newest, not drop"
      ]
    ] as const
    for (const [stream, message] of bad) {
      assert.strictEqual(await messageOf(stream.next()), message)
      assert.deepStrictEqual([await stream.next(), await stream.return?.()], [DONE, DONE])
    }
    assert.lengthOf(provider.requests, 0)
    assert.deepStrictEqual((await readAll(session.stream("hi"))).types, textRun)
  })

  it("S20: is lazy: without a next() nothing happens, and what was returned before never starts", async () => {
    const { provider, session } = scripted([[text("a")]])
    const stream = session.stream("hi")
    session.stream("never read")
    await aMoment()
    assert.deepStrictEqual([provider.requests.length, session.active], [0, undefined])
    assert.deepStrictEqual(await stream.return?.(), DONE)
    assert.deepStrictEqual(await stream.next(), DONE)
    assert.lengthOf(provider.requests, 0)
  })

  it("S20, S21: starts one run at the first next, yields its events alone, and ends behind the last one", async () => {
    const { provider, session } = scripted([[text("a"), done]])
    const stream = session.stream("hi")
    const first = await stream.next()
    await messageOf(run(session))
    const { error, events, types } = await readAll(stream)
    assert.deepStrictEqual([first.value?.type, ...types], textRun)
    assert.isUndefined(error)
    assert.lengthOf(new Set(events.map((event) => ("runId" in event ? event.runId : ""))), 1)
    assert.lengthOf(provider.requests, 1)
    assert.deepStrictEqual(await stream.next(), DONE)
  })

  it("S21: a failed run yields its error event, then rejects with the AgentRunError, once", () =>
    withoutStrayRejections(async () => {
      const { session } = scripted([[text("a"), { fail: new Error("down") }]])
      const stream = session.stream("hi")
      const { error, events, types } = await readAll(stream)
      assert.deepStrictEqual(types, ["agent_started", "turn_started", "message_started", "message_delta", "error"])
      assert.instanceOf(error, AgentRunError)
      const last = events.at(-1)
      assert.deepStrictEqual(last?.type === "error" ? last.error : last, error.result.error)
      assert.deepStrictEqual(await stream.next(), DONE)
    }))

  it("S21: several next() that wait for the end of a failed run: the first of them rejects, the others are done", () =>
    withoutStrayRejections(async () => {
      const asked = gate()
      const { session } = scripted([[{ run: () => asked.open() }, { hang: true }]])
      const stream = session.stream("hi")
      const steps = Array.from({ length: 7 }, () => stream.next())
      await asked.promise
      session.abort("stop")
      const outcomes = await Promise.all(
        steps.map(async (step) => {
          const outcome = await step.catch((error: unknown) => error)
          return outcome instanceof Error
            ? outcome.message
            : (untyped<IteratorResult<AgentEvent>>(outcome).value?.type ?? "done")
        })
      )
      assert.deepStrictEqual(outcomes, [
        "agent_started",
        "turn_started",
        "provider_turn_started",
        "error",
        "Agent run aborted",
        "done",
        "done"
      ])
    }))

  it("S22: leaving early aborts the run and waits for it: the next statement may start another", () =>
    withoutStrayRejections(async () => {
      const { provider, session } = scripted([[text("a"), { hang: true }], [text("b")]])
      for await (const { type } of session.stream("one")) if (type === "message_delta") break
      assert.isUndefined(session.active)
      assert.deepStrictEqual([provider.closed, provider.open], [1, 0])
      assert.isTrue(provider.requests[0]?.signal?.aborted)
      assert.strictEqual((await run(session, "two")).text, "b")
    }))

  it("S22: the run it leaves is aborted for that reason, and is told to other subscribers", async () => {
    const { session } = scripted([[text("a"), { hang: true }]])
    const watching = collect(session.subscribe())
    for await (const { type } of session.stream("one")) if (type === "message_delta") break
    const last = (await watching).at(-1)
    assert.strictEqual(last?.type === "error" ? last.error.message : "", "stream consumer closed")
  })

  it("S22: return() waits for the finalizers of a tool", async () => {
    const finalized: Array<string> = []
    const { session } = scripted([[toolCall("c", "t")]], {
      tools: [
        {
          name: "t",
          execute: () =>
            Effect.onInterrupt(Effect.never, () =>
              Effect.andThen(
                Effect.promise(aMoment),
                Effect.sync(() => finalized.push("t"))
              )
            )
        }
      ]
    })
    for await (const { type } of session.stream("one")) if (type === "tool_execution_started") break
    assert.deepStrictEqual([session.active, finalized], [undefined, ["t"]])
  })

  it("S22: return() beside a pending next() ends both", () =>
    withoutStrayRejections(async () => {
      const asked = gate()
      const { session } = scripted([[{ run: () => asked.open() }, { hang: true }], [text("b")]])
      const stream = session.stream("one")
      const pending = [stream.next(), stream.next(), stream.next(), stream.next(), stream.next()]
      await asked.promise
      assert.deepStrictEqual(await stream.return?.(), DONE)
      assert.deepStrictEqual((await Promise.all(pending)).slice(3), [DONE, DONE])
      assert.deepStrictEqual(await stream.next(), DONE)
      assert.strictEqual((await run(session)).text, "b")
    }))

  it("S22: return() behind the end of its run answers at once, and aborts no other run", async () => {
    const asked = gate()
    const { session } = scripted([[text("a")], [text("b"), { run: () => asked.open() }, text("c")]])
    const stream = session.stream("one")
    await readAll(stream)
    const second = run(session, "two")
    await asked.promise
    assert.deepStrictEqual(await stream.return?.(), DONE)
    assert.strictEqual((await second).text, "bc")
  })

  it("S22: return() of a stream whose run is over but not read out forgets the rest", async () => {
    const { session } = scripted([[text("a")]])
    const stream = session.stream("one")
    await stream.next()
    while (session.active !== undefined) await aMoment()
    assert.deepStrictEqual(await stream.return?.(), DONE)
    assert.deepStrictEqual(await stream.next(), DONE)
  })

  it("S24, E15: queue options are its own; behind the notice it ends once the run has settled", async () => {
    const opened = gate()
    const { provider, session } = scripted([[text("a"), text("b"), text("c"), { run: () => opened.open() }, text("d")]])
    const stream = session.stream("hi", { maxQueuedEvents: 2, overflow: "close" })
    await stream.next()
    await opened.promise
    const notice = await stream.next()
    assert.deepStrictEqual(untyped(notice.value), {
      type: "event_subscriber_overflow",
      sessionId: session.id,
      droppedEvents: 3,
      maxQueuedEvents: 2,
      overflow: "close"
    })
    assert.deepStrictEqual(await stream.next(), DONE)
    assert.isUndefined(session.active)
    assert.strictEqual((await storedGist(session)).at(-1), "assistant: abcd")
    assert.lengthOf(provider.requests, 1)
  })

  it("E15, S21: a stream that overflowed still rejects for a failed run", async () => {
    const { session } = scripted([[text("a"), text("b"), { fail: new Error("down") }]])
    const stream = session.stream("hi", { maxQueuedEvents: 1 })
    await stream.next()
    await aMoment()
    const { error, types } = await readAll(stream)
    assert.deepStrictEqual([types, untyped<Error>(error).message], [["event_subscriber_overflow"], "down"])
  })

  it("E13: the first next() is waiting when its run begins: it gets the first event past the smallest queue", async () => {
    const { session } = scripted([[text("a")]])
    const stream = session.stream("hi", { maxQueuedEvents: 1 })
    assert.strictEqual((await stream.next()).value?.type, "agent_started")
    await stream.return?.()
  })

  it("S22, E15: a stream that overflowed can be left, which aborts its run", async () => {
    const asked = gate()
    const { session } = scripted([[text("a"), text("b"), { run: () => asked.open() }, { hang: true }], [text("c")]])
    for await (const { type } of session.stream("hi", { maxQueuedEvents: 1 })) {
      await asked.promise
      if (type === "event_subscriber_overflow") break
    }
    assert.strictEqual((await run(session)).text, "c")
  })

  it("E16, S24: drop_oldest and drop_newest work on a stream, too", async () => {
    for (const [overflow, expected] of [
      ["drop_oldest", ["turn_finished", "agent_finished"]],
      ["drop_newest", ["turn_started", "provider_turn_started"]]
    ] as const) {
      const { session } = scripted([[text("a")]])
      const stream = session.stream("hi", { maxQueuedEvents: 2, overflow })
      await stream.next()
      while (session.active !== undefined) await aMoment()
      const { events } = await readAll(stream)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        [...expected]
      )
    }
  })

  it("S24, E17: until is no option of a stream: it ends with its run", async () => {
    const { session } = scripted([[text("a")]])
    assert.deepStrictEqual((await readAll(session.stream("hi", { until: "closed" }))).types, textRun)
  })
})

describe("subscribe", () => {
  it("E17: consumer and run can be waited for together", async () => {
    const { session } = scripted([[text("a")]])
    const [events, { text: said }] = await Promise.all([collect(session.subscribe()), run(session)])
    assert.deepStrictEqual([typesOf(events), said], [textRun, "a"])
  })

  it("E17: opened while idle it lasts until the next run has settled; until closed it sees all runs", async () => {
    const { session } = scripted([[text("a")], [{ fail: new Error("down") }], [text("b")]])
    const all = session.subscribe({ until: "closed" })
    const idle = session.subscribe()
    await run(session)
    await failure(run(session))
    assert.deepStrictEqual(typesOf(await collect(idle)), textRun)
    await run(session)
    await all.return?.()
    const kept = session.subscribe({ until: "closed" })
    await run(session)
    const seen: Array<string> = []
    for await (const { type } of kept) {
      seen.push(type)
      if (type === "agent_finished") break
    }
    assert.strictEqual(seen.at(-1), "agent_finished")
  })

  it("E12: misses what came before it, and replays nothing", async () => {
    const asked = gate()
    const { session } = scripted([[text("a"), { run: () => asked.open() }, text("b")]])
    const running = run(session)
    await asked.promise
    const late = collect(session.subscribe())
    await running
    assert.notInclude(typesOf(await late), "agent_started")
  })

  it("E19: one that never reads, reads slowly or leaves in the middle changes nothing for run and others", async () => {
    const { session } = scripted([[text("a"), text("b"), text("c")]])
    session.subscribe()
    session.subscribe({ maxQueuedEvents: 1 })
    const slow = (async () => {
      const types: Array<string> = []
      for await (const { type } of session.subscribe()) {
        types.push(type)
        await aMoment()
      }
      return types
    })()
    const leaves = (async () => {
      for await (const { type } of session.subscribe()) if (type === "message_delta") return type
      return "never"
    })()
    const throws = (async () => {
      for await (const { type } of session.subscribe()) if (type === "message_started") throw new Error("mine")
    })()
    const attentive = collect(session.subscribe())
    const [{ text: said }, thrown] = await Promise.all([run(session), messageOf(throws)])
    assert.deepStrictEqual([said, thrown, await leaves], ["abc", "mine", "message_delta"])
    const types = (await attentive).map(({ type }) => type)
    assert.deepStrictEqual(await slow, types)
    assert.lengthOf(types, 11)
  })

  it("E20: a refused run is told to those who listen, and ends none of them", async () => {
    const asked = gate()
    const { session } = scripted([[{ run: () => asked.open() }, text("a")]])
    const events = collect(session.subscribe())
    const running = run(session)
    await failure(run(session))
    await asked.promise
    await running
    const types = typesOf(await events)
    assert.deepStrictEqual(
      types.filter((type) => type === "error" || type === "agent_finished"),
      ["error", "agent_finished"]
    )
  })

  it("E17, S16: a run that failed before it started ends subscriptions as well", async () => {
    const { session } = scripted([[text("a")]], { provider: undefined })
    const events = collect(session.subscribe())
    await failure(run(session))
    assert.deepStrictEqual(typesOf(await events), ["error"])
  })

  it("E21, E22: events are the runtime's own objects without a redactor, clean copies with one", async () => {
    const { session } = scripted([[text("sk-1"), { fail: new Error("sk-1") }]])
    const seen = collect(session.subscribe())
    await failure(
      run(session, "hi", {
        redactor: { redact: (value) => JSON.parse(JSON.stringify(value).replaceAll("sk-1", "***")) }
      })
    )
    const told = JSON.stringify(await seen)
    assert.notInclude(told, "sk-1")
    assert.include(told, "***")
  })
})
