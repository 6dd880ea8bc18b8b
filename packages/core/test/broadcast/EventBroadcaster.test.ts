import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { EventBroadcaster } from "../../src/broadcast/EventBroadcaster.ts"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import { collect } from "../run/runs.ts"

const turn = (at: number): AgentEvent => ({ type: "turn_started", sessionId: "s", runId: "r", turn: at })
const turnsOf = (events: ReadonlyArray<AgentEvent>) =>
  events.map((event) => (event.type === "turn_started" ? event.turn : event.type))

describe("EventBroadcaster", () => {
  it.effect("is one service whose hubs know nothing of each other", () =>
    Effect.gen(function* () {
      const broadcaster = yield* EventBroadcaster
      const [one, other] = [broadcaster.open("s"), broadcaster.open("s")]
      const seen = collect(one.subscribe())
      other.publish(turn(1))
      one.publish(turn(2))
      one.endRun()
      assert.deepStrictEqual(turnsOf(yield* Effect.promise(() => seen)), [2])
    }).pipe(Effect.provide(EventBroadcaster.layer))
  )

  it("E12: tells only what comes after the subscription, and tells every subscriber all of it", async () => {
    const hub = EventBroadcaster.live.open("s")
    hub.publish(turn(1))
    const first = collect(hub.subscribe())
    hub.publish(turn(2))
    const second = collect(hub.subscribe())
    hub.publish(turn(3))
    hub.endRun()
    assert.deepStrictEqual(turnsOf(await first), [2, 3])
    assert.deepStrictEqual(turnsOf(await second), [3])
  })

  it("E19: a subscriber that never reads overflows alone", async () => {
    const hub = EventBroadcaster.live.open("s")
    const abandoned = hub.subscribe({ maxQueuedEvents: 1 })
    const reads = hub.subscribe({ maxQueuedEvents: 10 })
    for (let at = 0; at < 5; at += 1) hub.publish(turn(at))
    hub.endRun()
    assert.deepStrictEqual(turnsOf(await collect(reads)), [0, 1, 2, 3, 4])
    assert.deepStrictEqual(turnsOf(await collect(abandoned)), ["event_subscriber_overflow"])
  })

  it("E18: return() takes one subscriber away from the rest", async () => {
    const hub = EventBroadcaster.live.open("s")
    const leaves = hub.subscribe()
    const stays = hub.subscribe()
    const pending = leaves.next()
    hub.publish(turn(1))
    await leaves.return?.()
    hub.publish(turn(2))
    hub.endRun()
    assert.deepStrictEqual((await pending).value, turn(1))
    assert.deepStrictEqual(await collect(leaves), [])
    assert.deepStrictEqual(turnsOf(await collect(stays)), [1, 2])
  })

  it("E17: the end of a run leaves those open that stay until closed", async () => {
    const hub = EventBroadcaster.live.open("s")
    const stays = hub.subscribe({ until: "closed" })
    hub.endRun()
    hub.publish(turn(1))
    assert.deepStrictEqual((await stays.next()).value, turn(1))
    await stays.return?.()
    assert.isTrue((await stays.next()).done)
  })
})
