import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import tls from "node:tls"
import { connectMcpTools } from "@arnilo/prism-mcp"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { cert } from "../fixtures/certificate.ts"
import { withServer } from "../fixtures/httpServer.ts"
import { call } from "../fixtures/peer.ts"
import { rejection } from "../fixtures/rejection.ts"
import { makePinnedFetch } from "../../src/transports/pinnedFetch.ts"

describe("makePinnedFetch", () => {
  const before = tls.getCACertificates("default")
  beforeAll(() => tls.setDefaultCACertificates([...before, cert]))
  afterAll(() => tls.setDefaultCACertificates(before))

  it("M29: connects to the validated address under the endpoint's name, resolves for every request, keeps the connection", () =>
    withServer({ isTls: true }, async (server) => {
      const url = new URL(`https://mcp.test:${server.port}/mcp`)
      let answers = 0
      const http = makePinnedFetch({
        endpoint: { url, isLoopback: true },
        maxResponseBytes: 1_000,
        resolveHostname: () => {
          answers++
          const address = { address: "127.0.0.1", family: 4 } as const
          return Promise.resolve(answers === 3 ? [address, { address: "10.0.0.1", family: 4 }] : [address])
        }
      })
      for (let at = 0; at < 2; at++) assert.strictEqual(await (await http.fetch(url)).text(), "")
      assert.strictEqual(server.seen[0]?.headers.host, `mcp.test:${server.port}`)
      assert.strictEqual(server.seen[0]?.headers["accept-encoding"], "identity")
      // A name that is bound to another address later reaches nothing.
      assert.match((await rejection(http.fetch(url))).message, /not loopback/)
      assert.deepStrictEqual([server.seen.length, answers, server.sockets.size], [2, 3, 1])
      assert.match((await rejection(http.fetch("https://evil.test/"))).message, /is not the endpoint's/)
      await http.close()
    }))

  it("M29: a certificate for another name is refused", () =>
    withServer({ isTls: true }, async (server) => {
      const url = new URL(`https://other.test:${server.port}/`)
      const resolveHostname = () => Promise.resolve([{ address: "127.0.0.1", family: 4 } as const])
      const http = makePinnedFetch({ endpoint: { url, isLoopback: true }, maxResponseBytes: 1_000, resolveHostname })
      assert.strictEqual(
        ((await rejection(http.fetch(url))) as NodeJS.ErrnoException).code,
        "ERR_TLS_CERT_ALTNAME_INVALID"
      )
      await http.close()
    }))

  it("M29: a whole bridge over TLS", () =>
    withServer({ isTls: true, hasSessions: true }, async (server) => {
      const bridge = await connectMcpTools({ serverId: "s", transport: server.transport() })
      assert.strictEqual((await call(bridge, "echo", { text: "safe" })).content[0].text, "safe")
      await bridge.close()
    }))

  it.each([
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"],
    ["a status that is none", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    ["nothing", ""],
    ["what is no HTTP", "hello\r\n\r\n"]
  ])("M29: fails where a server answers with %s, and closes the connection", async (_, answer) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined)
      socket.once("data", () => (answer === "" ? socket.end() : socket.write(answer)))
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const http = makePinnedFetch({
      endpoint: { url, isLoopback: true },
      maxResponseBytes: 1_000,
      resolveHostname: () => assert.fail("was looked up")
    })
    await rejection(http.fetch(url))
    // Waits for all of its connections.
    await once(server.close(), "close")
    await http.close()
  })
})
