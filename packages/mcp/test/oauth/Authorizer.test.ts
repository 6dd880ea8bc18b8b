import { assert, describe, it } from "@effect/vitest"
import { AuthorizationServers } from "../../src/oauth/AuthorizationServers.ts"
import { Authorizer } from "../../src/oauth/Authorizer.ts"
import type { McpOAuth } from "../../src/oauth/McpOAuth.ts"
import { resolveBySystem } from "../../src/transports/resolveAddress.ts"
import { json, type LoginServers, type LoginServersOptions, withLogin } from "../fixtures/loginServers.ts"
import { rejection } from "../fixtures/rejection.ts"
import { eventually } from "../fixtures/stdio.ts"

const challenge = { status: 401 } as const
const never = new AbortController().signal

const authorizerAt = ({ mcp, origin, person }: LoginServers, oauth: Partial<McpOAuth> = {}): Authorizer => {
  const serverUrl = new URL(`${mcp.origin}/mcp`)
  const origins = new Set([origin])
  const options = { serverUrl, origins, allowLoopbackHttp: true, resolveHostname: resolveBySystem }
  return new Authorizer({
    oauth: { provider: person, origins, authorizationCode: person.comeBack, ...oauth },
    servers: new AuthorizationServers(options),
    serverUrl
  })
}

/** Holds refreshes back. */
const slowRefresh = () => {
  const waiting: Array<() => void> = []
  const authorize: LoginServersOptions["authorize"] = ({ body }, response) => {
    if (!body.includes("grant_type=refresh_token")) return false
    waiting.push(() => json(response, 200, { access_token: "new", token_type: "Bearer", refresh_token: "next" }))
    return true
  }
  return { authorize, waiting }
}

const OLD = { access_token: "old", token_type: "Bearer", refresh_token: "first" }

describe("the login that requests share", () => {
  it("M30: keeps what it was given when nobody waits any more, and lets the next wait for that", async () => {
    const { authorize, waiting } = slowRefresh()
    await withLogin({ authorize }, async (servers) => {
      const { person } = servers
      person.kept = OLD
      person.client = { client_id: "client" }
      const authorizer = authorizerAt(servers)
      const stop = new AbortController()
      const first = rejection(authorizer.renew(challenge, "old", { signal: stop.signal, mayAsk: true }))
      await eventually(() => waiting.length === 1)
      stop.abort(new Error("stop"))
      assert.strictEqual((await first).message, "stop")
      const second = authorizer.renew(challenge, "old", { signal: never, mayAsk: true })
      waiting[0]?.()
      await second
      assert.strictEqual(person.kept.refresh_token, "next")
      assert.strictEqual(await authorizer.token(never), "new")
      assert.lengthOf(waiting, 1)
      assert.lengthOf(person.visited, 0)
      await authorizer.close()
    })
  })

  it("M30: begins anew for the next, where nobody waits any more, and uses what is known already", () => {
    const waiting: Array<() => void> = []
    const authorize: LoginServersOptions["authorize"] = ({ path }, response) => {
      if (path !== "/register" || waiting.length > 0) return false
      waiting.push(() => json(response, 201, { client_id: "client", redirect_uris: [] }))
      return true
    }
    return withLogin({ authorize }, async (servers) => {
      const authorizer = authorizerAt(servers)
      const stop = new AbortController()
      const first = rejection(authorizer.renew(challenge, undefined, { signal: stop.signal, mayAsk: true }))
      await eventually(() => waiting.length === 1)
      stop.abort(new Error("stop"))
      assert.strictEqual((await first).message, "stop")
      const second = authorizer.renew(challenge, undefined, { signal: never, mayAsk: true })
      waiting[0]?.()
      await second
      assert.strictEqual(await authorizer.token(never), "token-1")
      assert.strictEqual(servers.countOf("/register"), 1)
      assert.lengthOf(servers.person.visited, 1)
      await authorizer.close()
    })
  })

  it("M30: asks a person no longer than a call waits, whatever stream does", () =>
    withLogin({}, async (servers) => {
      let seen: AbortSignal | undefined
      const authorizationCode = (signal: AbortSignal) => {
        seen = signal
        return new Promise<string>(() => undefined)
      }
      const authorizer = authorizerAt(servers, { authorizationCode })
      const stop = new AbortController()
      const call = rejection(authorizer.renew(challenge, undefined, { signal: stop.signal, mayAsk: true }))
      const stream = rejection(authorizer.renew(challenge, undefined, { signal: never, mayAsk: false }))
      await eventually(() => seen !== undefined)
      stop.abort(new Error("stop"))
      await Promise.all([call, stream])
      assert.isTrue(seen?.aborted)
      await authorizer.close()
    }))

  it("M24: ends with its transport, even while tokens are on the way that do not arrive", async () => {
    const { authorize, waiting } = slowRefresh()
    await withLogin({ authorize }, async (servers) => {
      servers.person.kept = OLD
      servers.person.client = { client_id: "client" }
      const authorizer = authorizerAt(servers)
      const waits = rejection(authorizer.renew(challenge, "old", { signal: never, mayAsk: true }))
      await eventually(() => waiting.length === 1)
      await authorizer.close()
      await waits
      assert.strictEqual(servers.person.kept.access_token, "old")
    })
  })

  it("M24: keeps tokens that are on the way when its transport is closed", async () => {
    const { authorize, waiting } = slowRefresh()
    await withLogin({ authorize }, async (servers) => {
      servers.person.kept = OLD
      servers.person.client = { client_id: "client" }
      const authorizer = authorizerAt(servers)
      const waits = authorizer.renew(challenge, "old", { signal: never, mayAsk: true }).catch((error: unknown) => error)
      await eventually(() => waiting.length === 1)
      const closed = authorizer.close()
      await new Promise((resolve) => setTimeout(resolve, 20))
      waiting[0]?.()
      await closed
      await waits
      assert.strictEqual(servers.person.kept.refresh_token, "next")
    })
  })

  it("M24: ends with its transport while a person is asked", () =>
    withLogin({}, async (servers) => {
      let seen: AbortSignal | undefined
      const authorizationCode = (signal: AbortSignal) => {
        seen = signal
        return new Promise<string>(() => undefined)
      }
      const authorizer = authorizerAt(servers, { authorizationCode })
      const waits = rejection(authorizer.renew(challenge, undefined, { signal: never, mayAsk: true }))
      await eventually(() => seen !== undefined)
      await authorizer.close()
      await waits
      assert.isTrue(seen?.aborted)
    }))

  it("M30: refreshes once for two transports of one provider", async () => {
    const { authorize, waiting } = slowRefresh()
    await withLogin({ authorize }, async (servers) => {
      const { countOf, person } = servers
      person.kept = OLD
      person.client = { client_id: "client" }
      const authorizers = [authorizerAt(servers), authorizerAt(servers), authorizerAt(servers)] as const
      const stop = new AbortController()
      const first = authorizers[0].renew(challenge, "old", { signal: never, mayAsk: true })
      const impatient = rejection(authorizers[1].renew(challenge, "old", { signal: stop.signal, mayAsk: true }))
      await eventually(() => waiting.length === 1)
      stop.abort(new Error("stop"))
      assert.strictEqual((await impatient).message, "stop")
      const third = authorizers[2].renew(challenge, "old", { signal: never, mayAsk: true })
      await new Promise((resolve) => setTimeout(resolve, 50))
      waiting[0]?.()
      await Promise.all([first, third])
      assert.strictEqual(countOf("/token"), 1)
      assert.strictEqual(person.kept.refresh_token, "next")
      for (const authorizer of authorizers) await authorizer.close()
    })
  })
})
