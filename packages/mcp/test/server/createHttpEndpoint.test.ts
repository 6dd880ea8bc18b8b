import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { connectMcpTools, type McpToolBridge } from "@arnilo/prism-mcp"
import { createPrismMcpServer, type McpHttpHandlerOptions, type PrismMcpServerOptions } from "@arnilo/prism-mcp/server"
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Served, serveHttp, watchedTools } from "./fixture.ts"

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const principals: McpHttpHandlerOptions["authenticate"] = (request) => {
  const user = request.headers.get("authorization")
  return user === null ? undefined : { id: user, metadata: { user } }
}

const open = async (http: Partial<McpHttpHandlerOptions> = {}, options: Partial<PrismMcpServerOptions> = {}) => {
  const watched = watchedTools()
  const server = createPrismMcpServer({ name: "n", version: "1", tools: watched.tools, ...options })
  const served = await serveHttp((host) =>
    server.createHandler({ allowedHosts: [host], authenticate: principals, ...http })
  )
  closing.push(served.stop, () => server.close())
  return { served, server, watched }
}

const connect = async (served: Served, user: string): Promise<McpToolBridge> => {
  const transport = { ...served.transport, requestInit: { headers: { authorization: user } } }
  const bridge = await connectMcpTools({ serverId: "http", transport })
  closing.push(() => bridge.close())
  return bridge
}

const call = async (bridge: McpToolBridge, name: string, extra: object = {}): Promise<any> =>
  bridge.tools
    .find((tool) => tool.name === `mcp:http:${name}`)
    ?.execute({}, { sessionId: "s", runId: "r", toolCallId: "c", ...extra })

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } }
}

const post = (served: Served, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${served.origin}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: "ada",
      ...headers
    },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

const begin = async (served: Served, user = "ada"): Promise<string> => {
  const response = await post(served, initialize, { authorization: user })
  assert.strictEqual(response.status, 200)
  await response.text()
  return response.headers.get("mcp-session-id") ?? assert.fail("no session")
}

describe("createHttpEndpoint", () => {
  it("serves several clients, each as the one that it is", async () => {
    const { served, watched } = await open()
    const [ada, bob] = [await connect(served, "ada"), await connect(served, "bob")]
    const texts = await Promise.all([ada, bob].map((bridge) => call(bridge, "show")))
    assert.deepStrictEqual(
      texts.map(({ content }) => content[0].text),
      ["for ada", "for bob"]
    )
    const controller = new AbortController()
    const hanging = call(ada, "hang", { signal: controller.signal })
    await call(bob, "long")
    controller.abort()
    assert.isDefined((await hanging).error)
    await vi.waitFor(() => assert.strictEqual(watched.aborted.length, 1))
  })

  it("refuses whoever is not meant, before it reads anything", async () => {
    const { served } = await open({ allowedOrigins: ["https://good.example"] })
    const refused = async (response: Response, status: number, message: string): Promise<void> => {
      assert.strictEqual(response.status, status)
      assert.strictEqual((await response.json()).error.message, message)
    }
    const { port } = new URL(served.origin)
    const rebound = await new Promise<number>((resolve) => {
      // fetch sets the header by itself.
      void import("node:http").then(({ request }) =>
        request({ port, method: "POST", headers: { host: "evil.example" } }, ({ statusCode = 0 }) =>
          resolve(statusCode)
        ).end("{}")
      )
    })
    assert.strictEqual(rebound, 403)
    const message = "Origin is not allowed: https://evil.example"
    await refused(await post(served, initialize, { origin: "https://evil.example" }), 403, message)
    await refused(await fetch(`${served.origin}/mcp`, { method: "POST", body: "{}" }), 401, "Not authenticated")
    assert.strictEqual((await post(served, initialize, { origin: "https://good.example" })).status, 200)
  })

  it("gives a call the metadata of its own request, not of the one that began the session", async () => {
    let user = "owner"
    const { served } = await open({ authenticate: () => ({ id: "ada", metadata: { user } }) })
    const session = await begin(served)
    const show = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "show" } }
    const shown = async () => (await post(served, show, { "mcp-session-id": session })).text()
    assert.include(await shown(), "for owner")
    user = "guest"
    assert.include(await shown(), "for guest")
  })

  it.each([
    ["nobody", () => null],
    ["no id", () => ({})],
    ["an empty id", () => ({ id: "" })],
    ["a claim that is no text", () => ({ id: 7 })],
    ["no principal", () => true],
    [
      "a throw",
      () => {
        throw new Error("database password")
      }
    ],
    ["a rejection", () => Promise.reject(new Error("database password"))],
    ["an effect that fails", () => Effect.fail(new Error("database password"))]
  ])("opens no session for %s", async (_, authenticate) => {
    const { served } = await open({ authenticate: authenticate as never })
    const response = await post(served, initialize)
    assert.strictEqual(response.status, 401)
    assert.isNull(response.headers.get("mcp-session-id"))
    assert.notInclude(await response.text(), "password")
  })

  it("lets the host refuse in its own words, before a body is read", async () => {
    const headers = { "www-authenticate": 'Bearer resource_metadata="https://h/meta"' }
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [] })
    const handler = server.createHandler({
      allowedHosts: ["h"],
      authenticate: () => new Response("no", { status: 401, headers })
    })
    let pulled = 0
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 })
    const request = new Request("http://h/", { method: "POST", headers: { host: "h" }, body, duplex: "half" } as never)
    const response = await handler(request)
    assert.deepStrictEqual(
      [response.status, response.headers.get("www-authenticate")],
      [401, headers["www-authenticate"]]
    )
    assert.strictEqual(pulled, 0)
  })

  it.each<[string, Record<string, string>, number]>([
    ["another name", { host: "evil.example" }, 403],
    ["another port", { host: "h:1" }, 403],
    ["a name that begins alike", { host: "h.evil.example" }, 403],
    ["credentials before the name", { host: "h@evil.example" }, 403],
    ["no name", { host: "" }, 403],
    ["an opaque origin", { origin: "null" }, 403],
    ["an origin that begins alike", { origin: "https://good.example.evil" }, 403],
    ["an origin of another scheme", { origin: "http://good.example" }, 403],
    ["an origin that is allowed", { origin: "https://good.example" }, 200],
    ["its own name in capitals", { host: "H" }, 200]
  ])("lets in by host and origin: %s", async (_, headers, status) => {
    let asked = 0
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [] })
    const handler = server.createHandler({
      allowedHosts: ["h"],
      allowedOrigins: ["https://good.example"],
      authenticate: () => {
        asked++
        return { id: "me" }
      }
    })
    const accepted = { accept: "application/json, text/event-stream", "content-type": "application/json" }
    const body = JSON.stringify(initialize)
    const request = new Request("http://h/", { method: "POST", headers: { host: "h", ...accepted, ...headers }, body })
    assert.strictEqual((await handler(request)).status, status)
    // Who comes from elsewhere is not even asked.
    assert.strictEqual(asked, status === 200 ? 1 : 0)
    await server.close()
  })

  it("serves clients of the protocol without sessions, with none", async () => {
    const { served, watched } = await open({ maxSessions: 1 })
    const progress: Array<object> = []
    const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode: "auto" } })
    const transport = new StreamableHTTPClientTransport(new URL(`${served.origin}/mcp`), {
      requestInit: { headers: { authorization: "ada" } }
    })
    await client.connect(transport)
    closing.push(() => client.close())
    assert.strictEqual(client.getNegotiatedProtocolVersion(), "2026-07-28")
    assert.isUndefined(transport.sessionId)
    const use = (name: string, args = {}, options = {}): Promise<any> =>
      client.callTool({ name, arguments: args }, options)
    const sum = await use("math_add", { a: 1, b: 2 }, { onprogress: (told: object) => progress.push(told) })
    assert.deepStrictEqual(sum.structuredContent, { sum: 3 })
    assert.deepStrictEqual(progress, [{ progress: 1, total: 2, message: "adding" }])
    assert.strictEqual((await use("show")).content[0].text, "for ada")
    assert.isTrue((await use("math_add", { a: 1 })).isError)
    const controller = new AbortController()
    const hanging = use("hang", {}, { signal: controller.signal }).catch((error: unknown) => error)
    await use("long")
    controller.abort()
    await hanging
    await vi.waitFor(() => assert.strictEqual(watched.aborted.length, 1))
    // No session was taken.
    await begin(served)
  })

  it.each<[string, unknown, Record<string, string>, number]>([
    ["no JSON", "{", {}, 400],
    ["no body", "", {}, 400],
    ["null", null, {}, 400],
    ["no JSON-RPC", { hello: 1 }, {}, 400],
    ["a batch of nothing", [], {}, 400],
    ["brackets without end", "[".repeat(100_000), {}, 400],
    ["another content type", initialize, { "content-type": "text/plain" }, 415],
    ["an answer that nothing awaits", { jsonrpc: "2.0", id: 1, result: {} }, {}, 400],
    ["a beginning without an answer", { ...initialize, id: undefined }, {}, 202],
    ["no session", { jsonrpc: "2.0", id: 1, method: "ping" }, {}, 400],
    ["a session of its own choice", initialize, { "mcp-session-id": "mine" }, 404],
    ["a key that is no field", '{"__proto__":{"method":"ping"},"id":1}', {}, 400],
    [
      "a version that nobody has",
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { "mcp-protocol-version": "2026-07-28" },
      400
    ]
  ])("refuses %s, and serves the next", async (_, body, headers, status) => {
    const { served } = await open({ maxSessions: 1 })
    const response = await post(served, body, headers)
    assert.strictEqual(response.status, status, await response.clone().text())
    if (status !== 202) assert.isDefined(JSON.parse(await response.text()).error)
    await begin(served)
  })

  it.each(["GET", "PUT", "PATCH", "OPTIONS"])("has no use for %s", async (method) => {
    const { served } = await open()
    const response = await fetch(`${served.origin}/mcp`, { method, headers: { authorization: "ada" } })
    assert.strictEqual(response.status, 405)
    assert.strictEqual(response.headers.get("allow"), "POST, DELETE")
    assert.isNull(response.headers.get("access-control-allow-origin"))
  })

  it("keeps a session from everybody but its principal", async () => {
    const { served } = await open()
    const session = await begin(served)
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" }
    const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" }
    assert.strictEqual((await post(served, list, headers)).status, 200)
    assert.strictEqual((await post(served, list, { ...headers, authorization: "bob" })).status, 404)
    assert.strictEqual((await post(served, list, { ...headers, "mcp-session-id": "guess" })).status, 404)
    const remove = (authorization: string): Promise<Response> =>
      fetch(`${served.origin}/mcp`, { method: "DELETE", headers: { ...headers, authorization } })
    assert.strictEqual((await remove("bob")).status, 404)
    assert.strictEqual((await remove("ada")).status, 200)
    assert.strictEqual((await post(served, list, headers)).status, 404)
  })

  it("opens no session for what is no beginning, and reads no more than it must", async () => {
    const { served } = await open({ maxSessions: 1 }, { maxRequestBytes: 1_000 })
    for (const body of ["{", "[]", "null", { jsonrpc: "2.0", id: 1, method: "tools/list" }]) {
      const { status } = await post(served, body)
      assert.isTrue(status >= 400 && status < 500, `${JSON.stringify(body)} gave ${status}`)
    }
    assert.strictEqual((await post(served, JSON.stringify({ ...initialize, x: "y".repeat(2_000) }))).status, 413)
    await begin(served)
  })

  it("holds no place for a client whose first request does not end", async () => {
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [] })
    const handler = server.createHandler({ allowedHosts: ["h"], authenticate: "none", maxSessions: 1 })
    const send = (body: ReadableStream<Uint8Array> | string) => {
      const headers = { host: "h", accept: "application/json, text/event-stream", "content-type": "application/json" }
      return handler(new Request("http://h/", { method: "POST", headers, body, duplex: "half" } as RequestInit))
    }
    let cancelled: unknown
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)),
      cancel: () => {
        cancelled = true
      }
    })
    void send(new ReadableStream())
    assert.strictEqual((await send(endless)).status, 413)
    assert.isTrue(cancelled)
    assert.strictEqual((await send(JSON.stringify(initialize))).status, 200)
    assert.strictEqual((await send(JSON.stringify(initialize))).status, 503)
    await server.close()
  })

  it("bounds its sessions; one that has been idle makes room", async () => {
    const { served } = await open({ maxSessions: 2 })
    const first = await begin(served)
    await begin(served)
    const full = await post(served, initialize)
    assert.strictEqual(full.status, 503)
    const later = Date.now() + 600_001
    const clock = vi.spyOn(Date, "now").mockReturnValue(later)
    try {
      await begin(served)
      const list = { jsonrpc: "2.0", id: 2, method: "tools/list" }
      assert.strictEqual((await post(served, list, { "mcp-session-id": first })).status, 404)
    } finally {
      clock.mockRestore()
    }
  })

  const callOf = (id: number, name: string): object => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name } })

  it("ends the response of a call that its client cancels, and of a batch the answer alone", async () => {
    const { served, watched } = await open()
    const headers = { "mcp-session-id": await begin(served) }
    const send = async (body: unknown): Promise<string> => (await post(served, body, headers)).text()
    const cancel = (requestId: number): Promise<string> =>
      send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } })
    const one = send(callOf(2, "hang"))
    await vi.waitFor(() => assert.strictEqual(watched.hung, 1))
    await cancel(2)
    assert.strictEqual(await one, "")
    const batch = send([callOf(3, "hang"), callOf(4, "gate")])
    await vi.waitFor(() => assert.deepStrictEqual([watched.hung, watched.running], [2, 1]))
    await cancel(3)
    watched.open()
    assert.include(await batch, "through")
    // Answered or not, what comes together with its cancellation does not stay open.
    for (const method of ["ping", "tools/list", "tools/call"]) {
      const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } }
      await send([{ jsonrpc: "2.0", id: 5, method, params: { name: "none" } }, cancelled])
    }
    // Their ids are free.
    for (const id of [2, 3, 4]) assert.include(await send(callOf(id, "long")), "xxx")
    assert.strictEqual(watched.aborted.length, 2)
  })

  it("lets no second request in under an id that is in use, and aborts the first with its session", async () => {
    const { served, watched } = await open()
    const headers = { "mcp-session-id": await begin(served) }
    const first = post(served, callOf(2, "hang"), headers).then((response) => response.text())
    await vi.waitFor(() => assert.strictEqual(watched.hung, 1))
    for (const body of [callOf(2, "long"), [callOf(3, "long"), callOf(3, "long")]]) {
      const second = await post(served, body, headers)
      assert.strictEqual(second.status, 400)
      assert.include(await second.text(), "Request id is in use")
    }
    // A request that is refused leaves no id in use.
    assert.strictEqual((await post(served, callOf(3, "long"), { ...headers, accept: "text/html" })).status, 406)
    assert.strictEqual((await post(served, callOf(3, "long"), headers)).status, 200)
    await fetch(`${served.origin}/mcp`, { method: "DELETE", headers: { authorization: "ada", ...headers } })
    assert.strictEqual(await first, "")
    await vi.waitFor(() => assert.strictEqual(watched.aborted.length, 1))
  })

  it("aborts what runs when the server closes", async () => {
    const { served, server, watched } = await open()
    const bridge = await connect(served, "ada")
    const hanging = call(bridge, "hang")
    await call(bridge, "long")
    await server.close()
    await vi.waitFor(() => assert.strictEqual(watched.aborted.length, 1))
    await bridge.close()
    assert.isDefined((await hanging).error)
    assert.strictEqual((await post(served, initialize)).status, 503)
    assert.throws(() => server.createHandler({ allowedHosts: ["a"], authenticate: "none" }), "MCP server is closed")
  })

  it("refuses options that leave it open by mistake", () => {
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [] })
    const refuse = (options: object, message: string): void =>
      assert.throws(() => server.createHandler(options as McpHttpHandlerOptions), message)
    refuse({ authenticate: "none" }, "allowedHosts must be a list of 1 to 64 exact values")
    refuse({ allowedHosts: [], authenticate: "none" }, "allowedHosts must be a list of 1 to 64 exact values")
    refuse({ allowedHosts: ["*"], authenticate: "none" }, "allowedHosts must hold exact values")
    refuse({ allowedHosts: ["http://a"], authenticate: "none" }, 'not "http://a"')
    refuse({ allowedHosts: ["A"], authenticate: "none" }, 'not "A"')
    refuse({ allowedHosts: ["a"], allowedOrigins: ["https://a/"], authenticate: "none" }, 'not "https://a/"')
    refuse({ allowedHosts: ["a"], allowedOrigins: ["null"], authenticate: "none" }, 'not "null"')
    refuse({ allowedHosts: ["a"], authenticate: "none", allowedOrigin: [] }, 'did you mean "allowedOrigins"?')
    refuse({ allowedHosts: ["a"] }, 'authenticate must be a function, or "none"')
    refuse({ allowedHosts: ["a"], authenticate: "none", maxSessions: 0 }, "maxSessions must be")
    refuse({ allowedHosts: ["a"], authenticate: "none", sessionIdleMs: -1 }, "sessionIdleMs must be")
  })
})
