import { connectMcpTools, type McpStreamableHttpTransport } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { startHttpServer, withServer } from "../fixtures/httpServer.ts"
import { call } from "../fixtures/peer.ts"
import { rejection } from "../fixtures/rejection.ts"
import { eventually } from "../fixtures/stdio.ts"

const URL_OK = "https://mcp.example.com/mcp"
const ORIGIN = "https://mcp.example.com"

const connect = (transport: McpStreamableHttpTransport, options = {}) =>
  connectMcpTools({ serverId: "s", transport, callTimeoutMs: 3_000, ...options })

describe("a connection over HTTP", () => {
  it.each([
    ["none", []],
    ["too many", Array.from({ length: 33 }, () => ({ address: "8.8.8.8", family: 4 }))],
    [
      "one that is private",
      [
        { address: "8.8.8.8", family: 4 },
        { address: "10.0.0.1", family: 4 }
      ]
    ],
    ["one of another family", [{ address: "8.8.8.8", family: 6 }]],
    ["one that is none", [{ address: "mcp.example.com", family: 4 }]],
    ["one with a zone", [{ address: "fe80::1%eth0", family: 6 }]],
    ["no list", "8.8.8.8"],
    ["holes", [undefined]]
  ])("M29: rejects the whole answer of a resolver: %s", async (_, answer) => {
    const asked: Array<string> = []
    const error = await rejection(
      connect({
        type: "streamable-http",
        url: URL_OK,
        allowedOrigins: [ORIGIN],
        resolveHostname: (name) => {
          asked.push(name)
          return Promise.resolve(answer as never)
        }
      })
    )
    assert.match(error.message, /^MCP HTTP host (must resolve|resolves)/)
    assert.deepStrictEqual(asked, ["mcp.example.com"])
  })

  it("M27: rejects a loopback name that resolves elsewhere", async () => {
    const transport = {
      type: "streamable-http",
      url: "http://localhost:1/",
      allowedOrigins: ["http://localhost:1"],
      allowLoopbackHttp: true,
      resolveHostname: () =>
        Promise.resolve([{ address: "127.0.0.1", family: 4 } as const, { address: "8.8.8.8", family: 4 } as const])
    } as const
    assert.match((await rejection(connect(transport))).message, /not loopback/)
  })

  it("M5: a resolver that hangs is left when the signal aborts", async () => {
    const stop = new AbortController()
    const reason = new Error("stop")
    const transport = {
      type: "streamable-http",
      url: URL_OK,
      allowedOrigins: [ORIGIN],
      resolveHostname: () => new Promise<never>(() => undefined)
    } as const
    const connecting = rejection(connect(transport, { signal: stop.signal }))
    setTimeout(() => stop.abort(reason), 20)
    assert.strictEqual(await connecting, reason)
  })

  it("M30: sends the host's headers on every request, and nothing else that is secret", () =>
    withServer({ hasSessions: true }, async (server) => {
      const bridge = await connect(server.transport({ requestInit: { headers: { authorization: "Bearer t" } } }))
      assert.strictEqual((await call(bridge, "echo", { text: "hi" })).content[0].text, "hi")
      await bridge.close()
      await eventually(() => server.seen.some(({ method }) => method === "DELETE"))
      assert.include(
        server.seen.map(({ method }) => method),
        "GET"
      )
      for (const { headers } of server.seen) {
        assert.strictEqual(headers.authorization, "Bearer t")
        assert.strictEqual(headers.host, `127.0.0.1:${server.port}`)
        assert.isUndefined(headers.cookie)
      }
      assert.strictEqual(server.sessions.size, 0)
    }))

  it.each([
    ["a status, and its words", 500, "out of order", "MCP server answered with status 500: out of order"],
    ["a status alone", 404, "", "MCP server answered with status 404"],
    ["what is no message", 200, '{"hello":1}', "MCP server answered with what is no message of the protocol"]
  ])("M4: one that answers with %s is told of so", (_, status, body, message) =>
    withServer(
      {
        respond: ({ response }) => {
          response.writeHead(status, { "content-type": "application/json" }).end(body)
          return true
        }
      },
      async (server) => {
        const error = await rejection(connect(server.transport()))
        assert.strictEqual(error.message, message)
        assert.instanceOf(error.cause, Error)
      }
    )
  )

  it("M30: answers no challenge by itself", () =>
    withServer(
      {
        respond: ({ response }) => {
          response.writeHead(401, { "www-authenticate": 'Bearer resource_metadata="https://evil.test/"' }).end()
          return true
        }
      },
      async (server) => {
        await rejection(connect(server.transport()))
        assert.isTrue(server.seen.every(({ message, method }) => method === "POST" && message.method === "initialize"))
      }
    ))

  it.each([301, 302, 303, 307, 308, 399])("M29: a redirect is an error: %i", (status) =>
    withServer(
      {
        respond: ({ message, response }) => {
          if (message?.params?.name !== "echo") return false
          response.writeHead(status, { location: "/mcp" }).end()
          return true
        }
      },
      async (server) => {
        const bridge = await connect(server.transport())
        const { error } = await call(bridge, "echo")
        assert.include(error.message, `MCP HTTP redirects are not allowed (status ${status})`)
        assert.strictEqual(server.seen.filter(({ message }) => message?.params?.name === "echo").length, 1)
        await bridge.close()
      }
    )
  )

  it.each(["declared", "streamed", "events"])("M29: a body is bounded: %s", (how) =>
    withServer(
      {
        respond: ({ message, response }) => {
          if (message?.params?.name !== "echo") return false
          const body = "x".repeat(20_000)
          const type = how === "events" ? "text/event-stream" : "application/json"
          response.writeHead(200, {
            "content-type": type,
            ...(how === "declared" && { "content-length": body.length })
          })
          if (how === "declared") response.flushHeaders()
          else response.write(body)
          return true
        }
      },
      async (server) => {
        const bridge = await connect(server.transport({ maxResponseBytes: 10_000 }), {
          onCallFailure: "cancel"
        })
        const { error } = await call(bridge, "echo")
        assert.match(error.message, /MCP HTTP response exceeds 10000 bytes/)
        assert.isUndefined((await call(bridge, "refuse")).content)
        await bridge.close()
      }
    )
  )

  it("M29: a compressed answer is refused, whatever it would become", () =>
    withServer(
      {
        respond: ({ message, response }) => {
          if (message?.params?.name !== "echo") return false
          response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("x")
          return true
        }
      },
      async (server) => {
        const bridge = await connect(server.transport())
        assert.include((await call(bridge, "echo")).error.message, "compressed")
        await bridge.close()
      }
    ))

  it("M21: a session that the server forgot is begun anew, once, and the refused calls are sent again", () =>
    withServer({ hasSessions: true }, async (server) => {
      const bridge = await connect(server.transport())
      server.sessions.clear()
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, at) => call(bridge, "echo", { text: String(at) }))
      )
      assert.deepStrictEqual(
        results.map(({ content }) => content?.[0].text),
        ["0", "1", "2", "3", "4", "5", "6", "7"]
      )
      assert.strictEqual(server.seen.filter(({ message }) => message?.method === "initialize").length, 2)
      assert.strictEqual(bridge.health.reconnects, 1)
      await bridge.close()
    }))

  it("M21: a session that was taken up from elsewhere is not taken up again once it is gone", () =>
    withServer({ hasSessions: true }, async (server) => {
      server.sessions.add("given")
      const bridge = await connect(server.transport({ sessionId: "given" }), { refresh: "next-turn" })
      assert.isFalse(server.seen.some(({ message }) => message?.method === "initialize"))
      server.sessions.clear()
      assert.isUndefined((await call(bridge, "echo")).error)
      // What the server lists in its new session is not known yet.
      await bridge.prepareTurn()
      assert.strictEqual(server.seen.filter(({ message }) => message?.method === "tools/list").length, 2)
      await bridge.close()
    }))

  it("M21: a listing begins a forgotten session anew, too", () =>
    withServer({ hasSessions: true }, async (server) => {
      const bridge = await connect(server.transport())
      server.sessions.clear()
      await bridge.refresh()
      assert.strictEqual(bridge.health.reconnects, 1)
      assert.isUndefined((await call(bridge, "echo")).error)
      await bridge.close()
    }))

  it("M21: a server that forgets every session is asked twice, not for ever", () =>
    withServer(
      {
        hasSessions: true,
        respond: ({ message, response }) => {
          if (message?.method !== "tools/call") return false
          response.writeHead(404).end()
          return true
        }
      },
      async (server) => {
        const bridge = await connect(server.transport())
        assert.include((await call(bridge, "echo")).error.message, "MCP server answered with status 404")
        assert.strictEqual(server.seen.filter(({ message }) => message?.method === "tools/call").length, 2)
        await bridge.close()
      }
    ))

  it("M21: a stream of events that breaks off is taken up where it ended", () =>
    withServer(
      {
        respond: ({ message, request, response }) => {
          if (message?.params?.name === "echo") {
            response.writeHead(200, { "content-type": "text/event-stream" })
            response.end(`retry: 10\nid: ${message.id}-1\ndata: \n\n`)
            return true
          }
          const last = request.headers["last-event-id"]
          if (request.method !== "GET" || last === undefined) return false
          const [id] = String(last).split("-")
          const result = { content: [{ type: "text", text: "resumed" }] }
          response.writeHead(200, { "content-type": "text/event-stream" })
          response.end(`id: 2\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: Number(id), result })}\n\n`)
          return true
        }
      },
      async (server) => {
        const bridge = await connect(server.transport())
        assert.strictEqual((await call(bridge, "echo")).content[0].text, "resumed")
        assert.strictEqual(server.seen.filter(({ message }) => message?.params?.name === "echo").length, 1)
        await bridge.close()
      }
    ))

  it("M21: a server that is down fails calls at once, and the next one finds it again", async () => {
    const server = await startHttpServer()
    const bridge = await connect(server.transport())
    await server.close()
    const start = performance.now()
    for (let at = 0; at < 3; at++) assert.match((await call(bridge, "echo")).error.message, /ECONN|hang up/)
    assert.isBelow(performance.now() - start, 1_000)
    assert.strictEqual(bridge.health.state, "ready")
    const again = await startHttpServer({ port: server.port })
    assert.strictEqual((await call(bridge, "echo", { text: "back" })).content[0].text, "back")
    await again.close()
    await bridge.close()
  })

  it.each(["ends", "breaks off"])("M21: a response that %s without an answer fails its call at once", (how) =>
    withServer(
      {
        respond: ({ message, response }) => {
          if (message?.params?.name !== "echo") return false
          response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n", () => {
            if (how === "ends") response.end()
            else response.destroy()
          })
          return true
        }
      },
      async (server) => {
        const bridge = await connect(server.transport(), { callTimeoutMs: 60_000 })
        assert.match((await call(bridge, "echo")).error.message, /without an answer|SSE stream disconnected/)
        assert.isUndefined((await call(bridge, "twice")).error)
        await bridge.close()
      }
    )
  )

  it("M18: a body that is too long closes the bridge", () =>
    withServer({}, async (server) => {
      const bridge = await connect(server.transport({ maxResponseBytes: 10_000 }))
      assert.match((await call(bridge, "huge")).error.message, /exceeds 10000 bytes/)
      assert.throws(() => bridge.tools, "MCP bridge is closed")
    }))

  it("M18: a call that was cancelled holds no connection", async () => {
    let isHeld = false
    await withServer(
      {
        respond: ({ message, response }) => {
          if (message?.params?.name !== "hang") return false
          isHeld = true
          response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
          response.on("close", () => {
            isHeld = false
          })
          return true
        }
      },
      async (server) => {
        const bridge = await connect(server.transport(), { callTimeoutMs: 300, onCallFailure: "cancel" })
        assert.include((await call(bridge, "hang")).error.message, "timed out after 300ms")
        await eventually(() => !isHeld)
        const cancelled = server.seen.find(({ message }) => message?.method === "notifications/cancelled")
        const hung = server.seen.find(({ message }) => message?.params?.name === "hang")
        assert.strictEqual(cancelled?.message.params.requestId, hung?.message.id)
        assert.isUndefined((await call(bridge, "twice")).error)
        await bridge.close()
      }
    )
  })

  it("M24: close ends what hangs", () =>
    withServer({}, async (server) => {
      const bridge = await connect(server.transport())
      const waiting = call(bridge, "hang")
      await eventually(() => server.seen.some(({ message }) => message?.params?.name === "hang"))
      await bridge.close()
      assert.include((await waiting).error.message, "closed")
    }))
})

describe("a stream of events that breaks off", () => {
  it("is not taken up as fast as a server likes", () =>
    withServer(
      {
        respond: ({ request, response }) => {
          if (request.method !== "GET") return false
          response.writeHead(200, { "content-type": "text/event-stream" }).end("id: 1\nretry: 0\ndata:\n\n")
          return true
        }
      },
      async (server) => {
        const bridge = await connect(server.transport())
        await new Promise((resolve) => setTimeout(resolve, 600))
        const gets = server.seen.filter(({ method }) => method === "GET").length
        await bridge.close()
        assert.isAtLeast(gets, 2)
        assert.isAtMost(gets, 4)
      }
    ))
})
