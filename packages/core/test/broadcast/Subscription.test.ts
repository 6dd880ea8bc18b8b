import { assert, describe, it } from "@effect/vitest"
import { resolveMaxQueuedEvents, Subscription } from "../../src/broadcast/Subscription.ts"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import type { SubscribeOptions } from "../../src/ports/AgentPort.ts"
import { untyped } from "../run/runs.ts"

const turn = (at: number): AgentEvent => ({ type: "turn_started", sessionId: "s", runId: "r", turn: at })
const push = (to: Subscription, ...turns: ReadonlyArray<number>): void => {
  for (const at of turns) to.push({ value: turn(at), done: false })
}
const open = (options?: SubscribeOptions) => {
  const closed: Array<Subscription> = []
  const subscription = new Subscription("s", options, undefined, (one) => void closed.push(one))
  return { subscription, closed }
}
/** What is to be had without waiting. */
const drain = async (from: Subscription): Promise<Array<unknown>> => {
  const all: Array<unknown> = []
  for (;;) {
    const step = await Promise.race([from.next(), Promise.resolve("nothing more")])
    if (typeof step === "string" || step.done === true) return [...all, typeof step === "string" ? "waits" : "end"]
    all.push(step.value.type === "turn_started" ? step.value.turn : step.value)
  }
}

describe("Subscription", () => {
  it("refuses words that are no policy", () => {
    assert.throws(
      () => open({ overflow: untyped("drop") }),
      TypeError,
      "overflow must be close, drop_oldest or drop_newest, not drop"
    )
    assert.throws(() => open({ until: untyped("never") }), TypeError, "until must be run or closed, not never")
  })

  it("E14: reads the bound leniently: floored, at least 1, 1024 where it is no number", () => {
    assert.deepStrictEqual(
      [undefined, 0, -5, 0.5, 2.9, Number.NaN, Number.POSITIVE_INFINITY, untyped<number>("5")].map(
        resolveMaxQueuedEvents
      ),
      [1024, 1, 1, 1, 2, 1024, 1024, 1024]
    )
  })

  it("E14: keeps as many events as the bound says, also beyond the first growth of its queue", async () => {
    const { subscription } = open({ maxQueuedEvents: 40 })
    push(subscription, ...Array.from({ length: 40 }, (_, at) => at))
    assert.deepStrictEqual(await drain(subscription), [...Array.from({ length: 40 }, (_, at) => at), "waits"])
  })

  it("E14: counts only what waits while no next() is pending", async () => {
    const { subscription } = open({ maxQueuedEvents: 1 })
    for (const at of [1, 2, 3]) {
      const pending = subscription.next()
      push(subscription, at)
      assert.deepStrictEqual((await pending).value, turn(at))
    }
    push(subscription, 4)
    assert.deepStrictEqual(await drain(subscription), [4, "waits"])
  })

  it("E13: is its own iterable, and several pending next() are served in order", async () => {
    const { subscription } = open()
    assert.strictEqual(subscription[Symbol.asyncIterator](), subscription)
    const pending = [subscription.next(), subscription.next(), subscription.next()]
    push(subscription, 1, 2)
    subscription.endRun()
    const steps = await Promise.all(pending)
    assert.deepStrictEqual(steps, [
      { value: turn(1), done: false },
      { value: turn(2), done: false },
      { value: undefined, done: true }
    ])
  })

  it("E15: close discards what is queued, tells once how much, and ends", async () => {
    const { closed, subscription } = open({ maxQueuedEvents: 3 })
    push(subscription, 1, 2, 3, 4)
    assert.deepStrictEqual(closed, [subscription])
    const notice = {
      type: "event_subscriber_overflow",
      sessionId: "s",
      droppedEvents: 4,
      maxQueuedEvents: 3,
      overflow: "close"
    }
    assert.deepStrictEqual(await drain(subscription), [notice, "end"])
    assert.deepStrictEqual(await subscription.next(), { value: undefined, done: true })
  })

  it("E16: drop_oldest keeps the newest events, without a notice", async () => {
    const { closed, subscription } = open({ maxQueuedEvents: 2, overflow: "drop_oldest" })
    push(subscription, 1, 2, 3, 4, 5)
    assert.deepStrictEqual((await subscription.next()).value, turn(4))
    push(subscription, 6, 7)
    assert.lengthOf(closed, 0)
    subscription.endRun()
    assert.deepStrictEqual(await drain(subscription), [6, 7, "end"])
  })

  it("E16: drop_newest keeps the oldest and takes events again once there is room, without a notice", async () => {
    const { closed, subscription } = open({ maxQueuedEvents: 2, overflow: "drop_newest" })
    push(subscription, 1, 2, 3)
    assert.deepStrictEqual((await subscription.next()).value, turn(1))
    push(subscription, 4)
    subscription.endRun()
    assert.deepStrictEqual(await drain(subscription), [2, 4, "end"])
    assert.lengthOf(closed, 1)
  })

  it("E17: the end of a run comes behind what is queued; until closed it is no end", async () => {
    const { subscription } = open()
    push(subscription, 1)
    subscription.endRun()
    assert.deepStrictEqual(await drain(subscription), [1, "end"])
    const stays = open({ until: "closed" })
    stays.subscription.endRun()
    push(stays.subscription, 2)
    assert.deepStrictEqual(await drain(stays.subscription), [2, "waits"])
    assert.lengthOf(stays.closed, 0)
  })

  it("E18: return() ends its own pending next() and forgets what is queued; closing twice is closing once", async () => {
    const { closed, subscription } = open()
    const pending = [subscription.next(), subscription.next()]
    assert.deepStrictEqual(await subscription.return(), { value: undefined, done: true })
    assert.deepStrictEqual(await Promise.all(pending), [
      { value: undefined, done: true },
      { value: undefined, done: true }
    ])
    const queued = open()
    push(queued.subscription, 1)
    await queued.subscription.return()
    await queued.subscription.return()
    assert.deepStrictEqual(await drain(queued.subscription), ["end"])
    assert.deepStrictEqual([closed.length, queued.closed.length], [1, 1])
  })

  it("S20: as a stream it leaves out events of other runs and keeps those without a run", async () => {
    const ending = { runId: "mine", last: () => Promise.resolve({ value: undefined, done: true } as const) }
    const subscription = new Subscription("s", undefined, ending, () => undefined)
    push(subscription, 1)
    subscription.push({ value: { type: "turn_started", sessionId: "s", runId: "mine", turn: 2 }, done: false })
    subscription.push({ value: { type: "compaction_started", sessionId: "s" }, done: false })
    subscription.endRun()
    assert.deepStrictEqual(await drain(subscription), [2, { type: "compaction_started", sessionId: "s" }, "end"])
  })
})
