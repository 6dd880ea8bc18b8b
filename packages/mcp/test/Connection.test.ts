import { McpBridgeClosedError, McpBridgeError } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Connection, type ConnectionOptions, type Link } from "../src/Connection.ts"

const makeLink = (): Link & { closed: number } => {
  const link = {
    closed: 0,
    client: {
      request: () => Promise.resolve({}),
      setNotificationHandler: () => undefined,
      close: () => {
        link.closed++
        return Promise.resolve()
      }
    },
    transport: {
      start: () => Promise.resolve(),
      send: () => Promise.resolve(),
      close: () => Promise.reject(new Error("late"))
    }
  }
  return link
}

const open = (link: Link, options: Partial<ConnectionOptions> = {}) =>
  new Connection(link, { serverId: "s", onEvent: undefined, reopen: undefined, reconnect: false, ...options })

describe("Connection", () => {
  it.effect("M21: tries five times, with pauses that double, and not once more", () =>
    Effect.gen(function* () {
      const at: Array<number> = []
      const reopen = Effect.flatMap(Clock.currentTimeMillis, (now) => {
        at.push(now)
        return Effect.fail(new McpBridgeError("down"))
      })
      const connection = open(makeLink(), { reopen, reconnect: true })
      connection.drop(connection.link, "lost")
      const waiting = yield* Effect.forkChild(Effect.exit(connection.ready))
      yield* TestClock.adjust("1 hour")
      assert.isTrue(Exit.isFailure(yield* Fiber.join(waiting)))
      assert.deepStrictEqual(at, [0, 250, 750, 1_750, 3_750])
      assert.strictEqual(connection.state, "lost")
    })
  )

  it.effect("M21: callers that wait for a connection get the same one", () =>
    Effect.gen(function* () {
      const fresh = makeLink()
      let opened = 0
      const reopen = Effect.suspend(() => {
        opened++
        return Effect.delay(Effect.succeed(fresh), 10)
      })
      const connection = open(makeLink(), { reopen, reconnect: true })
      connection.drop(connection.link, "lost")
      const all = yield* Effect.forkChild(
        Effect.all([connection.ready, connection.ready], { concurrency: "unbounded" })
      )
      yield* TestClock.adjust(10)
      assert.deepStrictEqual(yield* Fiber.join(all), [fresh, fresh])
      assert.strictEqual(opened, 1)
      assert.strictEqual(connection.reopened, 1)
    })
  )

  it.effect("M24: what is being opened at close is given up, and waited for", () =>
    Effect.gen(function* () {
      let given = 0
      const reopen = Effect.onInterrupt(Effect.never, () => Effect.sync(() => given++))
      const connection = open(makeLink(), { reopen, reconnect: true })
      connection.drop(connection.link, "lost")
      const waiting = yield* Effect.forkChild(Effect.flip(connection.ready))
      yield* TestClock.adjust(5)
      yield* connection.close
      assert.strictEqual(given, 1)
      assert.instanceOf(yield* Fiber.join(waiting), McpBridgeClosedError)
    })
  )

  it.effect("M21: a link that ended before anybody watched it is lost", () =>
    Effect.gen(function* () {
      const fresh = makeLink()
      const links = [{ ...makeLink(), isOver: () => true }, fresh]
      const connection = open(makeLink(), { reopen: Effect.sync(() => links.shift() ?? fresh), reconnect: true })
      connection.drop(connection.link, "lost")
      yield* connection.ready
      assert.strictEqual(connection.state, "lost")
      assert.strictEqual(yield* connection.ready, fresh)
      assert.strictEqual(connection.state, "ready")
    })
  )

  it.effect("M24: close waits for everything, fails never, and may be called again", () =>
    Effect.gen(function* () {
      const link = makeLink()
      const events: Array<string> = []
      const connection = open(link, { onEvent: (event) => event.type === "mcp_connection" && events.push(event.state) })
      yield* connection.close
      yield* connection.close
      assert.isAtLeast(link.closed, 1)
      assert.deepStrictEqual(events, ["closed"])
      assert.instanceOf(yield* Effect.flip(connection.ready), McpBridgeClosedError)
    })
  )

  it.effect("M21: a replaced connection lasts until its last request has settled", () =>
    Effect.gen(function* () {
      const old = makeLink()
      const connection = open(old, { reopen: Effect.sync(makeLink) })
      const request = yield* Effect.forkChild(connection.during(old, Effect.sleep(10)))
      yield* Effect.yieldNow
      yield* connection.renew(old)
      assert.strictEqual(old.closed, 0)
      yield* TestClock.adjust(10)
      yield* Fiber.join(request)
      assert.strictEqual(old.closed, 1)
    })
  )
})
