import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { text } from "node:stream/consumers"
import { createPrismMcpServer, type McpHttpHandler, toNodeListener } from "@arnilo/prism-mcp/server"
import { afterEach, assert, describe, it, vi } from "@effect/vitest"

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const listen = async (handler: McpHttpHandler): Promise<number> => {
  const server = createServer(toNodeListener(handler)).listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => {
    server.closeAllConnections()
    return once(server.close(), "close")
  })
  return (server.address() as AddressInfo).port
}

describe("toNodeListener", () => {
  it("passes on method, URL, headers and body, and what is answered", async () => {
    const port = await listen(async (request) => {
      const { headers, method, url } = request
      const facts = { method, url, sent: headers.get("x-sent"), body: await request.text() }
      const answer = Response.json(facts, { status: 203 })
      for (const cookie of ["a=1", "b=2"]) answer.headers.append("set-cookie", cookie)
      return answer
    })
    const url = `http://127.0.0.1:${port}/mcp?a=b`
    const answer = await fetch(url, { method: "POST", body: "hello", headers: { "x-sent": "yes" } })
    assert.deepStrictEqual([answer.status, answer.headers.getSetCookie()], [203, ["a=1", "b=2"]])
    assert.deepStrictEqual(await answer.json(), { method: "POST", url, sent: "yes", body: "hello" })
    assert.strictEqual((await (await fetch(url)).json()).method, "GET")
  })

  it("tells of a client that leaves, and gives up the answer", async () => {
    const seen: Array<string> = []
    const port = await listen(async ({ signal }) => {
      signal.addEventListener("abort", () => seen.push("aborted"))
      return new Response(new ReadableStream({ cancel: () => void seen.push("cancelled") }))
    })
    const abort = new AbortController()
    const { body } = await fetch(`http://127.0.0.1:${port}/`, { signal: abort.signal })
    abort.abort()
    await body?.cancel().catch(() => undefined)
    await vi.waitFor(() => assert.sameMembers(seen, ["aborted", "cancelled"]))
  })

  it.each([
    ["no URL", "GET // HTTP/1.1\r\nHost: [\r\n\r\n"],
    ["no host", "GET / HTTP/1.0\r\n\r\n"]
  ])("refuses a request that makes %s", async (_, request) => {
    const port = await listen(() => assert.fail("was asked"))
    const socket = connect(port, "127.0.0.1")
    socket.end(request)
    assert.match(await text(socket), /^HTTP\/1.1 400 /)
  })

  it("ends the connection where the answer breaks off", async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error("broken")) })
    const port = await listen(() => Promise.resolve(new Response(broken)))
    const read = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
    assert.instanceOf(await read.catch((error: unknown) => error), Error)
  })

  it("answers before a body is read, and serves the next request of the connection", async () => {
    const port = await listen(async ({ headers }) => new Response(headers.get("x-at"), { status: 401 }))
    const socket = connect(port, "127.0.0.1")
    const size = 1_000_000
    const head = (at: number) => `POST / HTTP/1.1\r\nHost: a\r\nx-at: at-${at}\r\nContent-Length: ${size}\r\n\r\n`
    for (const at of [1, 2]) socket.write(head(at) + "x".repeat(size))
    let got = ""
    socket.on("data", (piece) => {
      got += String(piece)
    })
    await vi.waitFor(() => assert.include(got, "at-2"))
    socket.destroy()
  })

  it("answers a body that is too long with what the handler says", async () => {
    const port = await listen(async ({ body }) => {
      const reader = body?.getReader()
      await reader?.read()
      void reader?.cancel()
      return new Response("too long", { status: 413 })
    })
    const socket = connect(port, "127.0.0.1")
    socket.on("error", () => undefined)
    let got = ""
    socket.on("data", (piece) => {
      got += String(piece)
    })
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    socket.write(`100000\r\n${"x".repeat(0x100000)}\r\n`)
    await vi.waitFor(() => assert.include(got, "HTTP/1.1 413"))
    socket.destroy()
  })

  it.each([
    ["a method that is none of the web's", "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["credentials in its host", "GET / HTTP/1.1\r\nHost: u:p@a\r\n\r\n"]
  ])("refuses a request with %s", async (_, request) => {
    const port = await listen(() => assert.fail("was asked"))
    const socket = connect(port, "127.0.0.1")
    socket.end(request)
    assert.match(await text(socket), /^HTTP\/1.1 400 /)
  })

  it("tells of a client that leaves while its request waits behind another", async () => {
    const seen: Array<string> = []
    const port = await listen(({ signal, url }) => {
      signal.addEventListener("abort", () => seen.push(new URL(url).pathname))
      seen.push("asked")
      return new Promise(() => undefined)
    })
    const socket = connect(port, "127.0.0.1")
    socket.write("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
    await vi.waitFor(() => assert.lengthOf(seen, 2))
    socket.destroy()
    await vi.waitFor(() => assert.sameMembers(seen.slice(2), ["/1", "/2"]))
  })

  it("gives up the answer to a client that has left before there was one", async () => {
    const seen: Array<string> = []
    let answer: () => void = () => undefined
    const port = await listen(async ({ signal }) => {
      signal.addEventListener("abort", () => seen.push("aborted"))
      await new Promise<void>((resolve) => {
        answer = resolve
        seen.push("asked")
      })
      return new Response(new ReadableStream({ cancel: () => void seen.push("cancelled") }))
    })
    const socket = connect(port, "127.0.0.1")
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
    await vi.waitFor(() => assert.lengthOf(seen, 1))
    socket.destroy()
    await vi.waitFor(() => assert.lengthOf(seen, 2))
    answer()
    await vi.waitFor(() => assert.deepStrictEqual(seen, ["asked", "aborted", "cancelled"]))
  })

  it("leaves no session in use by a client that left as it was begun", async () => {
    let isSlow = true
    let left: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      left = resolve
    })
    let asked = 0
    const server = createPrismMcpServer({ name: "n", version: "1", tools: [] })
    closing.push(() => server.close())
    const handler = server.createHandler({
      allowedHosts: ["a"],
      authenticate: "none",
      maxSessions: 1,
      sessionIdleMs: 1
    })
    const port = await listen(async (request) => {
      asked++
      const answered = await handler(request)
      if (isSlow) await gone
      return answered
    })
    const clientInfo = { name: "c", version: "1" }
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })
    const head =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream"
    const begin = () => {
      const socket = connect(port, "127.0.0.1")
      socket.write(`${head}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      return socket
    }
    const first = begin()
    await vi.waitFor(() => assert.strictEqual(asked, 1))
    await new Promise((resolve) => setTimeout(resolve, 50))
    first.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    isSlow = false
    left()
    await vi.waitFor(async () => {
      const socket = begin()
      const [answer] = await once(socket, "data")
      socket.destroy()
      assert.match(String(answer), /^HTTP\/1.1 200 /)
    })
  })

  it.each([
    ["HTTP/1.1", "Connection: close\r\n"],
    // As proxies ask where nobody tells them otherwise: the answer ends with the connection.
    ["HTTP/1.0", ""]
  ])("closes the connection where the client wants that, whatever the handler says: %s", async (version, header) => {
    const headers = { connection: "keep-alive", "x-kept": "yes" }
    const port = await listen(async () => new Response(new Blob(["hello"]).stream(), { headers }))
    const socket = connect(port, "127.0.0.1")
    socket.write(`POST / ${version}\r\nHost: a\r\n${header}Content-Length: 2\r\n\r\n{}`)
    const answer = await text(socket)
    assert.include(answer, "hello")
    assert.include(answer, "x-kept: yes")
  })
})
