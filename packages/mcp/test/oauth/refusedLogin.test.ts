import { McpAuthorizationError, type McpStreamableHttpTransport } from "@arnilo/prism-mcp"
import { assert, describe, it, vi } from "@effect/vitest"
import { connect, type LoginServersOptions, json, refuse, withLogin } from "../fixtures/loginServers.ts"
import { call } from "../fixtures/peer.ts"
import { rejection } from "../fixtures/rejection.ts"

/** The message of the error that opening a bridge ends with. */
const failure = async (transport: McpStreamableHttpTransport): Promise<string> => {
  const error = await rejection(connect(transport))
  assert.instanceOf(error, McpAuthorizationError)
  return error.message
}

describe("a login that cannot be", () => {
  it("M30: names what is missing where a person is needed and none can be asked", () =>
    withLogin({}, async ({ person, transport }) => {
      assert.strictEqual(
        await failure(transport({ authorizationCode: undefined })),
        "MCP authorization: a person is needed, and oauth.authorizationCode is not set"
      )
      assert.lengthOf(person.visited, 0)
    }))

  it("M30: puts no token into an error, though the server repeats what it was sent", () => {
    const serve: LoginServersOptions["serve"] = (message, { headers }, response) => {
      if (message?.method !== "tools/call") return undefined
      response.writeHead(500).end(`out of order: ${headers.authorization}`)
      return true
    }
    return withLogin({ serve }, async ({ transport }) => {
      const bridge = await connect(transport())
      const [tool] = bridge.tools
      const { error } = await call(bridge, tool?.name.split(":")[2] ?? "")
      assert.strictEqual(error.message, "MCP server answered with status 500: out of order: Bearer [REDACTED]")
      await bridge.close()
    })
  })

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

  it("M30: asks for no more scopes than fit", () => {
    let asked = 0
    const serve: LoginServersOptions["serve"] = (_, __, response) =>
      refuse(response, 403, `error="insufficient_scope", scope="${"s".repeat(3_000)}${++asked}"`)
    return withLogin({ serve }, async ({ countOf, transport }) => {
      const message = "MCP authorization: the server asks for scopes of more than 8192 bytes"
      assert.strictEqual(await failure(transport()), message)
      assert.strictEqual(countOf("/token"), 2)
    })
  })

  it("M30: is told of as what it is, also by a server that takes no handshake", () => {
    const serve: LoginServersOptions["serve"] = (message, { headers }, response) => {
      if (headers.authorization === undefined) return false
      if (message?.method === "server/discover")
        return refuse(response, 403, 'error="insufficient_scope", scope="discover"')
      return json(response, 400, { jsonrpc: "2.0", id: message?.id, error: { code: -32_601, message: "no" } })
    }
    return withLogin({ serve }, async ({ person, transport }) => {
      const authorizationCode = (signal: AbortSignal) =>
        person.visited.length === 1
          ? person.comeBack(signal)
          : Promise.resolve(new URLSearchParams({ error: "access_denied", state: "state-1" }))
      const message = await failure(transport({ authorizationCode }))
      assert.strictEqual(message, "MCP authorization: the login was refused (access_denied)")
      assert.lengthOf(person.visited, 2)
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

  it("M29: names an origin no longer than it has to be", () =>
    withLogin(
      { resourceMetadata: { authorization_servers: [`https://${"a".repeat(100_000)}.test`] } },
      async (servers) =>
        assert.match(
          await failure(servers.transport()),
          /^MCP authorization: origin https:\/\/a{248} is not in oauth.allowedOrigins$/
        )
    ))

  it("M29: takes no authorization server that the MCP server itself plays, with the endpoints of another", () => {
    let login = ""
    const serve: LoginServersOptions["serve"] = (_, { headers, url = "" }, response) => {
      if (!url.startsWith("/.well-known/oauth-authorization-server")) return false
      return json(response, 200, {
        issuer: `http://${headers.host}`,
        authorization_endpoint: `${login}/authorize`,
        token_endpoint: `${login}/token`,
        registration_endpoint: `${login}/register`,
        response_types_supported: ["code"]
      })
    }
    return withLogin({ serve, resourceMetadata: { authorization_servers: [] } }, async (servers) => {
      const { asked, mcp, origin, person, transport } = servers
      login = origin
      assert.strictEqual(
        await failure(transport()),
        `MCP authorization: origin ${mcp.origin} is not in oauth.allowedOrigins`
      )
      assert.lengthOf(asked, 0)
      assert.lengthOf(person.visited, 0)
      // The host may mean it so.
      await (await connect(transport({ allowedOrigins: [origin, mcp.origin] }))).close()
      assert.strictEqual(person.kept?.access_token, "token-1")
    })
  })

  it("M29: refreshes at no other place, asks nobody then, and prints nothing", async () => {
    const warn = vi.spyOn(console, "warn")
    const authorize: LoginServersOptions["authorize"] = ({ path }, response) => {
      if (path !== "/token") return false
      response.writeHead(307, { location: "https://evil.example.com/token" }).end()
      return true
    }
    await withLogin({ authorize }, async ({ person, transport }) => {
      person.client = { client_id: "known" }
      person.kept = { access_token: "old", token_type: "Bearer", refresh_token: "first" }
      assert.match(await failure(transport()), /redirects are not allowed \(status 307\)/)
      assert.lengthOf(person.visited, 0)
    })
    assert.lengthOf(warn.mock.calls, 0)
    warn.mockRestore()
  })

  it("M26: sends a person to no page whose URL holds credentials", async () => {
    const metadata: { authorization_endpoint?: string } = {}
    await withLogin({ metadata }, async ({ origin, person, transport }) => {
      metadata.authorization_endpoint = `${origin.replace("//", "//user:password@")}/authorize`
      assert.include(await failure(transport()), "MCP HTTP URL must not hold credentials")
      assert.lengthOf(person.visited, 0)
    })
  })

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
      assert.lengthOf(
        mcp.seen.filter(({ method }) => method === "GET"),
        1
      )
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
