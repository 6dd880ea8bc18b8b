import { assert, describe, it } from "@effect/vitest"
import type { AgentConfig } from "../../src/ports/AgentPort.ts"
import {
  aMoment,
  failure,
  gate,
  iterableOf,
  recordingLedger,
  run,
  sessionOver,
  text,
  toolCall,
  withoutStrayRejections
} from "../run/runs.ts"

const over = (generate: () => unknown, config?: Partial<AgentConfig>) => sessionOver(generate, config)
const step = (value: unknown) => Promise.resolve({ value, done: false })
const end = Promise.resolve({ value: undefined, done: true })

/** Fails the run with this error, and leaves the session usable. */
const failsWith = async (generate: () => unknown) => {
  let attempts = 0
  const session = over(() => {
    attempts += 1
    return attempts === 1 ? generate() : iterableOf((at) => (at === 0 ? step(text("a")) : end)).iterable
  })
  const { result } = await failure(run(session))
  assert.strictEqual((await run(session)).text, "a")
  return result.error
}

describe("readEvents", () => {
  it("D13: what is no async iterable fails the turn, and the error says whose", async () => {
    const error = { message: "Provider own returned no async iterable", code: "invalid_provider" }
    for (const garbage of [
      undefined,
      null,
      7,
      [text("a")],
      Promise.resolve([]),
      { [Symbol.asyncIterator]: () => null },
      { [Symbol.asyncIterator]: () => ({}) }
    ]) {
      assert.deepStrictEqual(await failsWith(() => garbage), error)
    }
  })

  it("D13: a throw of generate, of the iterable, of next, and a rejection fail the turn with what was thrown", async () => {
    const boom = (): never => {
      throw new Error("boom")
    }
    const error = { name: "Error", message: "boom" }
    assert.deepStrictEqual(await failsWith(boom), error)
    assert.deepStrictEqual(await failsWith(() => ({ [Symbol.asyncIterator]: boom })), error)
    assert.deepStrictEqual(await failsWith(() => iterableOf(boom).iterable), error)
    assert.deepStrictEqual(await failsWith(() => iterableOf(() => Promise.reject(new Error("boom"))).iterable), error)
    assert.deepStrictEqual(await failsWith(() => iterableOf(() => Promise.reject()).iterable), { message: "undefined" })
  })

  it("D13: an error event fails the turn; it does not end it well", async () => {
    const { closed, iterable } = iterableOf((at) =>
      step(at === 0 ? text("a") : { type: "error", error: { message: "busy", code: 503 } })
    )
    assert.deepStrictEqual(await failsWith(() => iterable), { message: "busy", code: 503 })
    assert.strictEqual(closed(), 1)
  })

  it("D13: events and steps that are none fail the turn, and the iterator is closed", async () => {
    for (const [answer, message] of [
      [step(null), "Invalid provider event ?: expected an object, not null"],
      [step(5), "Invalid provider event ?: expected an object, not 5"],
      [step({ type: "tool_call" }), "Invalid provider event tool_call: call must be a tool call"],
      [Promise.resolve(undefined), "Provider own returned no iterator result"],
      [Promise.resolve("done"), "Provider own returned no iterator result"]
    ] as const) {
      const { closed, iterable } = iterableOf(() => answer)
      const error = await failsWith(() => iterable)
      assert.deepStrictEqual([error?.message, closed()], [message, 1])
    }
  })

  it("D12: done ends the turn: nothing later is read, and the iterator is closed", async () => {
    let read = 0
    const { closed, iterable } = iterableOf((at) => {
      read += 1
      return step([text("a"), { type: "done" }, text("late")][at])
    })
    assert.strictEqual((await run(over(() => iterable))).text, "a")
    assert.deepStrictEqual([read, closed()], [2, 1])
  })

  it("D12: a stream that just ends is a finished turn, and needs no closing", async () => {
    const { closed, iterable } = iterableOf((at) => (at === 0 ? step(text("a")) : end))
    assert.strictEqual((await run(over(() => iterable))).text, "a")
    assert.strictEqual(closed(), 0)
  })

  it("D12: what closing the iterator throws, rejects with or never answers is nobody's", () =>
    withoutStrayRejections(async () => {
      const answers = [
        () => {
          throw new Error("close")
        },
        () => Promise.reject(new Error("close")),
        () => new Promise(() => undefined),
        () => 5
      ]
      for (const answer of answers) {
        const { iterable } = iterableOf((at) => step(at === 0 ? text("a") : { type: "done" }), answer)
        assert.strictEqual((await run(over(() => iterable))).text, "a")
      }
    }))

  it("E11: events of unknown types are passed over", async () => {
    const { iterable } = iterableOf((at) => step([{ type: "ping" }, text("a"), {}, { type: "done" }][at]))
    assert.strictEqual((await run(over(() => iterable))).text, "a")
  })

  it("D13: next() that answers at once, or with a thenable, is waited for", async () => {
    const events = [
      { value: text("a"), done: false },
      { value: { type: "done" }, done: false }
    ]
    assert.strictEqual((await run(over(() => iterableOf((at) => events[at]).iterable))).text, "a")
    const thenable = (at: number) => ({
      then: (resolve: (value: unknown) => void) => {
        resolve(events[at])
        resolve("twice")
      }
    })
    assert.strictEqual((await run(over(() => iterableOf(thenable).iterable))).text, "a")
  })

  it("S17: an endless stream of junk that is always at hand leaves room for an abort", async () => {
    // Not quite endless: without that room the test would not fail, it would never end.
    const { closed, iterable } = iterableOf((at) => (at < 300_000 ? step({ type: "junk" }) : end))
    const session = over(() => iterable)
    const running = failure(run(session))
    setImmediate(() => session.abort("enough"))
    assert.strictEqual((await running).result.abortReason, "enough")
    assert.strictEqual(closed(), 1)
  })

  it("S17: nothing that comes behind an abort is told, and next() is not called again", async () => {
    const opened = gate<unknown>()
    let asked = 0
    const { closed, iterable } = iterableOf(() => {
      asked += 1
      return asked === 1 ? step(text("a")) : opened.promise
    })
    const session = over(() => iterable)
    const types: Array<string> = []
    const events = session.subscribe({ until: "closed" })
    const running = failure(run(session))
    for await (const { type } of events) {
      types.push(type)
      if (type === "message_delta") session.abort("stop")
      if (type === "error") break
    }
    await running
    opened.open({ value: text("late"), done: false })
    await aMoment()
    assert.deepStrictEqual([types.slice(-2), asked, closed()], [["message_delta", "error"], 2, 1])
  })

  it("S13: an abort from inside generate or next() closes the iterator all the same", async () => {
    const inGenerate = iterableOf(() => step(text("a")))
    const session = over(() => {
      session.abort("generate")
      return inGenerate.iterable
    })
    assert.strictEqual((await failure(run(session))).result.abortReason, "generate")
    const inNext = iterableOf(() => {
      other.abort("next")
      return step(text("a"))
    })
    const other = over(() => inNext.iterable)
    assert.strictEqual((await failure(run(other))).result.abortReason, "next")
    assert.deepStrictEqual([inGenerate.closed(), inNext.closed()], [1, 1])
  })

  it("P21: a slow ledger holds the provider back, one event at a time, and changes no order", async () => {
    const log: Array<string> = []
    const { ledger } = recordingLedger(async (row) => {
      await aMoment()
      log.push(row)
    })
    const { iterable } = iterableOf((at) => {
      log.push(`next ${at}`)
      return step([text("a"), toolCall("c", "t"), { type: "done" }][at])
    })
    const session = over(() => iterable, { runLedger: ledger, limits: { maxToolRounds: 1 } })
    await run(session, "hi", { maxToolRounds: 0 })
    assert.deepStrictEqual(log.slice(log.indexOf("next 0"), log.indexOf("next 2") + 1), [
      "next 0",
      "event message_started",
      "event message_delta",
      "next 1",
      "event message_delta",
      "next 2"
    ])
  })

  it("P24: a ledger that refuses an event of the message fails the run and closes the iterator, without a stray rejection", () =>
    withoutStrayRejections(async () => {
      for (const refuse of [
        () => Promise.reject(new Error("full")),
        (): never => {
          throw new Error("full")
        }
      ]) {
        for (const refused of ["event message_started", "event message_delta"]) {
          const { ledger } = recordingLedger((row) => (row === refused ? refuse() : undefined))
          const { closed, iterable } = iterableOf(() => step(text("a")))
          const session = over(() => iterable, { runLedger: ledger })
          assert.strictEqual((await failure(run(session))).message, "Run ledger failed: full")
          assert.strictEqual(closed(), 1)
        }
      }
    }))
})
