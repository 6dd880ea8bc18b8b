import { connectMcpTools, McpAuthorizationError, type McpStreamableHttpTransport } from "@arnilo/prism-mcp"
import { assert, describe, it, vi } from "@effect/vitest"
import { type LoginServersOptions, json, refuse, withLogin } from "../fixtures/loginServers.ts"
import { call } from "../fixtures/peer.ts"
import { rejection } from "../fixtures/rejection.ts"
import { eventually } from "../fixtures/stdio.ts"

const connect = (transport: McpStreamableHttpTransport, options = {}) =>
  connectMcpTools({ serverId: "s", transport, callTimeoutMs: 5_000, ...options })

/** The message of the error that opening a bridge ends with. */
const failure = async (transport: McpStreamableHttpTransport, options = {}): Promise<string> => {
  const error = await rejection(connect(transport, options))
  assert.instanceOf(error, McpAuthorizationError)
  return error.message
}

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

describe("a login that cannot be", () => {
  it("M30: names what is missing where a person is needed and none can be asked", () =>
    withLogin({}, async ({ person, transport }) => {
      assert.strictEqual(
        await failure(transport({ authorizationCode: undefined })),
        "MCP authorization: a person is needed, and oauth.authorizationCode is not set"
      )
      assert.lengthOf(person.visited, 0)
    }))

  it("M30: ends after one more 401", () =>
    withLogin(
      { serve: (_, __, response) => refuse(response, 401, 'scope="a"') },
      async ({ countOf, mcp, transport }) => {
        assert.strictEqual(await failure(transport()), "MCP server refuses the request after a login (status 401)")
        assert.strictEqual(countOf("/token"), 1)
        assert.lengthOf(
          mcp.seen.filter(({ method }) => method === "POST"),
          2
        )
      }
    ))

  it("M30: ends after three logins for ever other scopes", () => {
    let asked = 0
    const serve: LoginServersOptions["serve"] = (_, __, response) =>
      refuse(response, 403, `error="insufficient_scope", scope="s${++asked}"`)
    return withLogin({ serve }, async ({ countOf, transport }) => {
      assert.strictEqual(await failure(transport()), "MCP server refuses the request after 3 logins (status 403)")
      assert.strictEqual(countOf("/token"), 3)
      assert.strictEqual(asked, 4)
    })
  })

  it("M30: is tried once by a call that reconnects", () =>
    withLogin({}, async ({ person, transport, valid }) => {
      let isDenied = false
      const authorizationCode = (signal: AbortSignal) => {
        if (!isDenied) return person.comeBack(signal)
        const state = `state-${person.visited.length - 1}`
        return Promise.resolve(new URLSearchParams({ error: "access_denied", state }))
      }
      const bridge = await connect(transport({ authorizationCode }), { reconnect: true, callTimeoutMs: 500 })
      // Too late: the connection is dropped.
      assert.isDefined((await call(bridge, "hang")).error)
      isDenied = true
      valid.clear()
      person.kept = undefined
      const { error } = await call(bridge, "echo", { text: "hi" })
      assert.strictEqual(error.message, "MCP authorization: the login was refused (access_denied)")
      assert.lengthOf(person.visited, 2)
      await bridge.close()
    }))

  it.each([
    ["no list of servers", { resourceMetadata: { authorization_servers: ["https://evil.example.com"] } }],
    ["the token endpoint", { metadata: { token_endpoint: "https://evil.example.com/token" } }],
    ["the registration", { metadata: { registration_endpoint: "https://evil.example.com/register" } }],
    ["the page for a person", { metadata: { authorization_endpoint: "https://evil.example.com/authorize" } }]
  ])("M29: goes to no origin that metadata name and the host does not: %s", (_, options) =>
    withLogin(options, async ({ person, transport }) => {
      const resolveHostname = () => assert.fail("was looked up")
      assert.strictEqual(
        await failure(transport({}, { resolveHostname })),
        "MCP authorization: origin https://evil.example.com is not in oauth.allowedOrigins"
      )
      assert.lengthOf(person.visited, 0)
    })
  )

  it("M29: sends a person to no page of another scheme", () =>
    withLogin({ metadata: { authorization_endpoint: "file:///etc/passwd" } }, async ({ person, transport }) => {
      assert.match(await failure(transport()), /^MCP authorization: origin null is not in oauth.allowedOrigins$/)
      assert.lengthOf(person.visited, 0)
    }))

  it("M29: goes to no private address, whatever a name resolves to", () =>
    withLogin({ resourceMetadata: { authorization_servers: ["https://login.example.com"] } }, async ({ transport }) => {
      const oauth = { allowedOrigins: ["https://login.example.com"] }
      const resolveHostname = () => Promise.resolve([{ address: "10.0.0.1", family: 4 } as const])
      assert.strictEqual(
        await failure(transport(oauth, { resolveHostname })),
        "MCP authorization at https://login.example.com failed (MCP HTTP host resolves to an address that is not public)"
      )
    }))

  it("M28: goes to no host that is not public, listed or not", () =>
    withLogin({ resourceMetadata: { authorization_servers: ["https://10.0.0.1"] } }, async ({ transport }) => {
      assert.strictEqual(
        await failure(transport({ allowedOrigins: ["https://10.0.0.1"] })),
        "MCP authorization at https://10.0.0.1 failed (MCP HTTP URL is not public)"
      )
    }))

  it.each(["/.well-known/oauth-authorization-server", "/register", "/token"])(
    "M29: follows no redirect of %s",
    (path) => {
      const authorize: LoginServersOptions["authorize"] = (asked, response) => {
        if (asked.path !== path) return false
        response.writeHead(307, { location: "/elsewhere" }).end()
        return true
      }
      return withLogin({ authorize }, async ({ countOf, origin, transport }) => {
        assert.strictEqual(
          await failure(transport()),
          `MCP authorization at ${origin} failed (MCP HTTP redirects are not allowed (status 307))`
        )
        assert.strictEqual(countOf("/elsewhere"), 0)
      })
    }
  )

  it.each(["/.well-known/oauth-authorization-server", "/register", "/token"])(
    "M29: bounds the answer of %s",
    (path) => {
      const authorize: LoginServersOptions["authorize"] = (asked, response) =>
        asked.path === path ? json(response, 200, { issuer: "x".repeat(1_048_576) }) : false
      return withLogin({ authorize }, async ({ origin, transport }) => {
        assert.strictEqual(
          await failure(transport()),
          `MCP authorization at ${origin} failed (MCP HTTP response exceeds 1048576 bytes)`
        )
      })
    }
  )

  it("M29: bounds the metadata of the server itself, and goes no other way then", () =>
    withLogin({ resourceMetadata: { more: "x".repeat(1_048_576) } }, async ({ asked, mcp, transport }) => {
      assert.strictEqual(
        await failure(transport()),
        `MCP authorization at ${mcp.origin} failed (MCP HTTP response exceeds 1048576 bytes)`
      )
      assert.lengthOf(asked, 0)
    }))

  it("M30: takes no metadata of another issuer, and with allowIssuerMismatch none of another origin", () =>
    withLogin({ metadata: { issuer: "https://evil.example.com" } }, async ({ asked, transport }) => {
      assert.strictEqual(
        await failure(transport()),
        "MCP authorization: the authorization server's metadata name an issuer of another origin"
      )
      const refusal = await failure(transport({ allowIssuerMismatch: true }))
      assert.include(refusal, "an issuer of another origin")
      assert.notInclude(asked.map(({ path }) => path).join(), "/register")
    }))

  it("M30: takes metadata of another path of its origin where the host says so", async () => {
    const metadata: { issuer?: string } = {}
    await withLogin({ metadata }, async ({ origin, transport }) => {
      metadata.issuer = `${origin}/other`
      assert.include(await failure(transport()), "metadata name another issuer")
      await (await connect(transport({ allowIssuerMismatch: true }))).close()
    })
  })

  it("M30: takes no metadata of another resource", () =>
    withLogin({ resourceMetadata: { resource: "https://evil.example.com/mcp" } }, async ({ person, transport }) => {
      assert.include(await failure(transport()), "metadata name another resource")
      assert.lengthOf(person.visited, 0)
    }))

  it("M30: takes no callback of another login", () =>
    withLogin({}, async ({ countOf, transport }) => {
      const authorizationCode = () => Promise.resolve(new URLSearchParams({ code: "stolen", state: "other" }))
      assert.include(await failure(transport({ authorizationCode })), "another state")
      assert.strictEqual(countOf("/token"), 0)
    }))

  it.each([
    ["another one", new URLSearchParams({ code: "c", state: "state-0", iss: "https://evil.example.com" })],
    ["none", new URLSearchParams({ code: "c", state: "state-0" })],
    ["none, in a code alone", "c"]
  ])("M30: takes no callback that does not name the authorization server where it names itself: %s", (_, given) =>
    withLogin(
      { metadata: { authorization_response_iss_parameter_supported: true } },
      async ({ countOf, transport }) => {
        const authorizationCode = () => Promise.resolve(given)
        assert.include(await failure(transport({ authorizationCode })), "does not name the authorization server")
        assert.strictEqual(countOf("/token"), 0)
      }
    )
  )

  it.each([
    [
      "a refusal",
      new URLSearchParams({ error: "access_denied", state: "state-0" }),
      "the login was refused (access_denied)"
    ],
    ["a text", new URLSearchParams({ error: "s3cret", state: "state-0" }), "the login was refused"],
    ["nothing", "", "oauth.authorizationCode must give a code or the URLSearchParams of the callback"],
    ["anything", 7, "oauth.authorizationCode must give a code or the URLSearchParams of the callback"]
  ])("M30: tells of a callback with %s", (_, given, message) =>
    withLogin({}, async ({ transport }) => {
      const authorizationCode = () => Promise.resolve(given as string)
      assert.strictEqual(await failure(transport({ authorizationCode })), `MCP authorization: ${message}`)
    })
  )

  it.each([
    [
      "an error with a text",
      400,
      { error: "invalid_request", error_description: "s3cret" },
      "(status 400, invalid_request)"
    ],
    ["an error of no standard", 400, { error: "s3cret" }, "(status 400)"],
    ["an error that is none", 200, { error: "s3cret" }, "(status 200)"],
    ["a page", 500, "s3cret", "(status 500)"],
    ["a list", 200, ["s3cret"], "the servers sent could not be used"],
    ["no token", 200, { token_type: "s3cret" }, "the servers sent could not be used"]
  ])("M30: repeats nothing of what an authorization server says: %s", async (_, status, body, message) => {
    const warn = vi.spyOn(console, "warn")
    const authorize: LoginServersOptions["authorize"] = ({ path }, response) =>
      path === "/token" ? json(response, status, body) : false
    await withLogin({ authorize }, async ({ transport }) => {
      const error = await rejection(connect(transport()))
      assert.include(error.message, message)
      assert.notMatch(`${error.message} ${error.stack} ${JSON.stringify(error)}`, /s3cret|the-code/)
      assert.isUndefined(error.cause)
    })
    assert.lengthOf(warn.mock.calls, 0)
    warn.mockRestore()
  })

  it("M30: does not tell a token that no header can hold", () =>
    withLogin({}, async ({ person, transport }) => {
      person.kept = { access_token: "s3\ncret", token_type: "Bearer" }
      assert.strictEqual(await failure(transport()), "MCP authorization: the access token does not fit into a header")
    }))

  it.each([
    "tokens",
    "clientInformation",
    "saveClientInformation",
    "saveTokens",
    "saveCodeVerifier",
    "codeVerifier",
    "redirectToAuthorization",
    "state"
  ] as const)("M30: names the provider's %s where that throws", (name) =>
    withLogin({}, async ({ person, transport }) => {
      const cause = new Error("disk full")
      Object.assign(person, {
        [name]: () => {
          throw cause
        }
      })
      const error = await rejection(connect(transport()))
      assert.instanceOf(error, McpAuthorizationError)
      assert.strictEqual(error.message, `MCP authorization: oauth.provider.${name} failed`)
      assert.strictEqual(error.cause, cause)
    })
  )
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
      const calling = rejectionOrResult(call(bridge, "echo", { text: "hi" }))
      await eventually(() => seen !== undefined)
      await bridge.close()
      assert.isTrue(seen?.aborted)
      await calling
    }))

  it("M30: keeps tokens that were given when nobody waits any more", () => {
    const waiting: Array<() => void> = []
    let isSlow = false
    const authorize: LoginServersOptions["authorize"] = ({ body }, response) => {
      if (!isSlow || !body.includes("grant_type=refresh_token")) return false
      waiting.push(() =>
        json(response, 200, { access_token: "token-9", token_type: "Bearer", refresh_token: "refresh-9" })
      )
      return true
    }
    return withLogin({ authorize }, async ({ person, transport, valid }) => {
      const bridge = await connect(transport())
      valid.clear()
      isSlow = true
      const stop = new AbortController()
      const calling = call(bridge, "echo", { text: "hi" }, { signal: stop.signal })
      await eventually(() => waiting.length > 0)
      stop.abort()
      assert.include((await calling).error.message, "aborted")
      const next = call(bridge, "echo", { text: "next" })
      valid.add("token-9")
      waiting[0]?.()
      assert.strictEqual((await next).content[0].text, "next")
      assert.strictEqual(person.kept?.refresh_token, "refresh-9")
      // The refresh token was used once.
      assert.lengthOf(waiting, 1)
      await bridge.close()
    })
  })

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
})

const rejectionOrResult = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)
