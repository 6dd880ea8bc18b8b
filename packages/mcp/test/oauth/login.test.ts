import { McpAuthorizationError } from "@arnilo/prism-mcp"
import { assert, describe, it, vi } from "@effect/vitest"
import {
  connect,
  type LoginServers,
  type LoginServersOptions,
  json,
  refuse,
  withLogin
} from "../fixtures/loginServers.ts"
import { call } from "../fixtures/peer.ts"
import { rejection } from "../fixtures/rejection.ts"
import { eventually } from "../fixtures/stdio.ts"

/** Settles when `signal` aborts, and not before. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("left")), { once: true })
  })

describe("a login", () => {
  it("M30: is tried only where the host says so", () =>
    withLogin({}, async ({ asked, mcp }) => {
      const error = await rejection(connect(mcp.transport()))
      assert.notInstanceOf(error, McpAuthorizationError)
      assert.deepStrictEqual(asked, [])
      assert.lengthOf(mcp.seen, 1)
    }))

  it("M30: gets a token with a person's help, and sends it to the endpoint and nowhere else", () =>
    withLogin({}, async ({ asked, mcp, person, transport }) => {
      const bridge = await connect(transport({}, { requestInit: { headers: { "x-secret": "of-the-host" } } }))
      assert.strictEqual((await call(bridge, "echo", { text: "hi" })).content[0].text, "hi")
      await bridge.close()
      assert.lengthOf(person.visited, 1)
      assert.deepStrictEqual(
        asked.map(({ path }) => path.split("?")[0]),
        ["/.well-known/oauth-authorization-server", "/register", "/authorize", "/token"]
      )
      for (const { headers } of asked) {
        assert.notProperty(headers, "authorization")
        assert.notProperty(headers, "x-secret")
      }
      const sent = mcp.seen.filter(({ headers }) => headers["x-secret"] !== undefined)
      assert.deepStrictEqual(
        [...new Set(sent.map(({ headers }) => headers.authorization))],
        [undefined, "Bearer token-1"]
      )
      // The server's metadata are asked for without anything of the host's.
      assert.lengthOf(sent, mcp.seen.length - 1)
    }))

  it("M30: is one for all calls that need it, and each of these is sent once more", () =>
    withLogin({}, async ({ countOf, mcp, person, transport, valid }) => {
      const bridge = await connect(transport())
      valid.clear()
      person.kept = undefined
      mcp.seen.length = 0
      const results = await Promise.all(["1", "2", "3"].map((text) => call(bridge, "echo", { text })))
      assert.deepStrictEqual(
        results.map(({ content }) => content[0].text),
        ["1", "2", "3"]
      )
      assert.lengthOf(person.visited, 2)
      assert.strictEqual(countOf("/token"), 2)
      assert.lengthOf(
        mcp.seen.filter(({ message }) => message?.method === "tools/call"),
        6
      )
      await bridge.close()
    }))

  it("M30: refreshes a token that has expired, without a person", () =>
    withLogin({}, async ({ asked, person, transport, valid }) => {
      const bridge = await connect(transport())
      valid.clear()
      assert.strictEqual((await call(bridge, "echo", { text: "hi" })).content[0].text, "hi")
      assert.lengthOf(person.visited, 1)
      const { body = "" } = asked.at(-1) ?? {}
      assert.strictEqual(new URLSearchParams(body).get("refresh_token"), "refresh-1")
      assert.strictEqual(person.kept?.access_token, "token-2")
      await bridge.close()
    }))

  it("M30: asks a person again where the refresh token is refused, and prints nothing", async () => {
    const warn = vi.spyOn(console, "warn")
    const authorize: LoginServersOptions["authorize"] = ({ body }, response) =>
      body.includes("grant_type=refresh_token")
        ? json(response, 400, { error: "invalid_grant", error_description: "refresh-1 is over" })
        : false
    await withLogin({ authorize }, async ({ countOf, person, transport, valid }) => {
      const bridge = await connect(transport())
      valid.clear()
      assert.strictEqual((await call(bridge, "echo", { text: "hi" })).content[0].text, "hi")
      assert.lengthOf(person.visited, 2)
      assert.deepStrictEqual(person.forgotten, ["tokens"])
      assert.strictEqual(countOf("/token"), 3)
      await bridge.close()
    })
    assert.lengthOf(warn.mock.calls, 0)
    warn.mockRestore()
  })

  it("M30: binds what was kept without it to the authorization server, and prints nothing", async () => {
    const warn = vi.spyOn(console, "warn")
    await withLogin({}, async ({ asked, origin, person, transport }) => {
      person.client = { client_id: "known" }
      person.kept = { access_token: "old", token_type: "Bearer", refresh_token: "first" }
      const bridge = await connect(transport())
      assert.strictEqual(new URLSearchParams(asked.at(-1)?.body).get("refresh_token"), "first")
      assert.deepStrictEqual([person.client.issuer, person.kept.issuer], [origin, origin])
      await bridge.close()
    })
    assert.lengthOf(warn.mock.calls, 0)
    warn.mockRestore()
  })

  it("M30: asks for a wider scope where a call needs it", () => {
    const serve: LoginServersOptions["serve"] = (message, { headers }, response) =>
      message?.method === "tools/call" && headers.authorization === "Bearer token-1"
        ? refuse(response, 403, 'error="insufficient_scope", scope="write"')
        : false
    return withLogin({ serve }, async ({ person, transport }) => {
      const bridge = await connect(transport())
      assert.strictEqual((await call(bridge, "echo", { text: "hi" })).content[0].text, "hi")
      assert.deepStrictEqual(
        person.visited.map(({ searchParams }) => searchParams.get("scope")),
        [null, "write"]
      )
      await bridge.close()
    })
  })
})

describe("waiting for a login", () => {
  it("M5: ends with the signal of the bridge that is opened", () =>
    withLogin({}, async ({ transport }) => {
      const stop = new AbortController()
      const reason = new Error("stop")
      let seen: AbortSignal | undefined
      const authorizationCode = (signal: AbortSignal) => {
        seen = signal
        setTimeout(() => stop.abort(reason))
        return new Promise<string>(() => undefined)
      }
      assert.strictEqual(await rejection(connect(transport({ authorizationCode }), { signal: stop.signal })), reason)
      assert.isTrue(seen?.aborted)
    }))

  it("M19: ends at callTimeoutMs", () =>
    withLogin({}, async ({ transport }) => {
      let seen: AbortSignal | undefined
      const authorizationCode = (signal: AbortSignal) => {
        seen = signal
        return untilAborted(signal)
      }
      const error = await rejection(connect(transport({ authorizationCode }), { callTimeoutMs: 300 }))
      assert.match(error.message, /timed out/i)
      await eventually(() => seen?.aborted === true)
    }))

  it("M20: ends when the last call that waits is aborted, which asks for no login to say so", () =>
    withLogin({}, async ({ mcp, person, transport, valid }) => {
      const stops = [new AbortController(), new AbortController()] as const
      const signals: Array<AbortSignal> = []
      let isPatient = true
      const authorizationCode = (signal: AbortSignal) => {
        if (isPatient) return person.comeBack(signal)
        signals.push(signal)
        return untilAborted(signal)
      }
      const bridge = await connect(transport({ authorizationCode }))
      isPatient = false
      valid.clear()
      person.kept = undefined
      const calls = stops.map(({ signal }) => call(bridge, "echo", { text: "hi" }, { signal }))
      await eventually(() => signals.length > 0)
      await eventually(() => mcp.seen.filter(({ message }) => message?.method === "tools/call").length === 2)
      stops[0].abort()
      assert.include((await calls[0]).error.message, "aborted")
      await eventually(() => mcp.seen.some(({ message }) => message?.method === "notifications/cancelled"))
      assert.isFalse(signals[0]?.aborted)
      stops[1].abort()
      assert.include((await calls[1]).error.message, "aborted")
      await eventually(() => signals[0]?.aborted === true)
      assert.lengthOf(signals, 1)
      isPatient = true
      assert.strictEqual((await call(bridge, "echo", { text: "again" })).content[0].text, "again")
      await bridge.close()
    }))

  it("M20: ends with its call, also where the server does not take notice", () => {
    const serve: LoginServersOptions["serve"] = (message) => message?.method === "notifications/cancelled"
    return withLogin({ serve }, async ({ person, transport, valid }) => {
      let isPatient = true
      let seen: AbortSignal | undefined
      const authorizationCode = (signal: AbortSignal) => {
        if (isPatient) return person.comeBack(signal)
        seen = signal
        return untilAborted(signal)
      }
      const bridge = await connect(transport({ authorizationCode }))
      isPatient = false
      valid.clear()
      person.kept = undefined
      const stop = new AbortController()
      const calling = call(bridge, "echo", { text: "hi" }, { signal: stop.signal })
      await eventually(() => seen !== undefined)
      stop.abort()
      assert.include((await calling).error.message, "aborted")
      await eventually(() => seen?.aborted === true)
      await bridge.close()
    })
  })

  it("M24: ends when the bridge is closed", () =>
    withLogin({}, async ({ person, transport, valid }) => {
      let isPatient = true
      let seen: AbortSignal | undefined
      const authorizationCode = (signal: AbortSignal) => {
        if (isPatient) return person.comeBack(signal)
        seen = signal
        return untilAborted(signal)
      }
      const bridge = await connect(transport({ authorizationCode }))
      isPatient = false
      valid.clear()
      person.kept = undefined
      const calling = call(bridge, "echo", { text: "hi" }).catch((error: unknown) => error)
      await eventually(() => seen !== undefined)
      await bridge.close()
      assert.isTrue(seen?.aborted)
      await calling
    }))

  it("M30: is nothing that a stream without a call asks a person for", () => {
    const serve: LoginServersOptions["serve"] = (_, { method, url }, response) =>
      method === "GET" && url?.startsWith("/mcp") === true
        ? refuse(response, 403, 'error="insufficient_scope", scope="x"')
        : false
    return withLogin({ serve }, async ({ countOf, mcp, person, transport }) => {
      const bridge = await connect(transport())
      await eventually(() =>
        mcp.seen.some(({ method, headers }) => method === "GET" && headers.accept === "text/event-stream")
      )
      await eventually(() => countOf("/.well-known") === 2)
      assert.strictEqual((await call(bridge, "echo", { text: "hi" })).content[0].text, "hi")
      assert.lengthOf(person.visited, 1)
      await bridge.close()
    })
  })

  it("M30: is rare for streams alone, however often their server lets them break off", () => {
    let gets = 0
    let servers: LoginServers | undefined
    const serve: LoginServersOptions["serve"] = (_, { headers, method, url }, response) => {
      if (method !== "GET" || url?.startsWith("/mcp") !== true) return false
      gets++
      const [, token = ""] = headers.authorization?.split("Bearer ") ?? []
      if (servers?.valid.has(token) !== true) return refuse(response, 401, 'error="invalid_token"')
      response.writeHead(200, { "content-type": "text/event-stream" }).end("id: 1\nretry: 0\ndata:\n\n")
      servers.valid.clear()
      return true
    }
    return withLogin({ serve }, async (started) => {
      servers = started
      const bridge = await connect(started.transport())
      await eventually(() => gets >= 4)
      await new Promise((resolve) => setTimeout(resolve, 600))
      const asked = started.countOf("/token")
      // A call goes on as ever.
      assert.strictEqual((await call(bridge, "echo", { text: "hi" })).content[0].text, "hi")
      assert.isAtMost(asked, 3)
      await bridge.close()
    })
  })
})
