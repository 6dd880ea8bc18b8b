import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:net"
import { createOpenAICompatibleProvider } from "../../../src/provider/openai-compatible/index.ts"
import { chunk, collect, DONE, errorOf, fetchOf, hello, latch, serve, sse, stream, text } from "./loopback.ts"

const KEY = "sk-key-that-nobody-may-see"
const to = (baseUrl: string, more: object = {}) => createOpenAICompatibleProvider({ baseUrl, apiKey: KEY, ...more })
const over = (fetch: typeof globalThis.fetch) =>
  createOpenAICompatibleProvider({ baseUrl: "http://host.test/v1", fetch, apiKey: KEY })

/** The error of a request that this body refuses, and how often it was sent. */
const refusedWith = async (status: number, body: string | Buffer, headers: Record<string, string> = {}) => {
  const server = await serve(({ response }) => response.writeHead(status, headers).end(body))
  const events = await collect(to(server.baseUrl))
  assert.strictEqual(events.length, 1)
  assert.strictEqual(server.received.length, 1)
  return errorOf(events)
}

const stop = chunk({}, "stop")

/** Answers with the headers that may hold a key. */
const echo: typeof globalThis.fetch = (_, init) => {
  const headers = new Headers(init?.headers)
  const sent = ["authorization", "x-api-key", "x-session-token", "x-short-token"].map((name) => headers.get(name))
  return Promise.resolve(new Response(sent.join(" "), { status: 400 }))
}

/** A whole answer of so many bytes. */
const document = (bytes: number) => {
  const [head, tail] = ['{"choices":[{"message":{"content":"', '"},"finish_reason":"stop"}]}']
  return head + "x".repeat(bytes - head.length - tail.length) + tail
}

const errorOfBody = async (body: string) =>
  errorOf(await collect(over(() => Promise.resolve(new Response(body, { status: 500 })))))

describe("Answer", () => {
  it("P17.4: a refusal is one error event with status and body, and is not tried again", async () => {
    assert.deepStrictEqual(await refusedWith(400, '{"error":{"message":"no"}}'), {
      message: 'openai-compatible request failed: 400 {"error":{"message":"no"}}',
      code: 400
    })
    assert.deepStrictEqual(await refusedWith(500, ""), { message: "openai-compatible request failed: 500", code: 500 })
    assert.deepStrictEqual(await refusedWith(502, "<html>Bad Gateway</html>", { "content-type": "text/html" }), {
      message: "openai-compatible request failed: 502 <html>Bad Gateway</html>",
      code: 502
    })
    assert.strictEqual((await refusedWith(304, "")).code, 304)
  })

  it("P17.4: Retry-After is told in milliseconds, from seconds and from a date", async () => {
    assert.strictEqual((await refusedWith(429, "", { "retry-after": "7" })).retryAfterMs, 7_000)
    const inAMinute = new Date(Date.now() + 60_000).toUTCString()
    const { retryAfterMs } = await refusedWith(503, "", { "retry-after": inAMinute })
    assert.isAbove(retryAfterMs ?? 0, 50_000)
    assert.isAtMost(retryAfterMs ?? 0, 60_000)
    assert.isUndefined((await refusedWith(503, "")).retryAfterMs)
  })

  it("P17.4: at most 64 KiB of a refusal are told, and its socket is not read to the end", async () => {
    const server = await serve(({ response }) => {
      response.writeHead(500)
      const more = (): void => {
        while (response.write("x".repeat(65_536)));
        response.once("drain", more)
      }
      more()
    })
    const error = errorOf(await collect(to(server.baseUrl)))
    assert.match(error.message, /^openai-compatible request failed: 500 x+$/)
    assert.isAtMost(error.message.length, 65_536)
    assert.isAbove(error.message.length, 65_000)
    await (
      await server.next()
    ).closed
  })

  it("P17.4: a refusal that is no UTF-8, or breaks off, still tells its status", async () => {
    assert.strictEqual(
      (await refusedWith(500, Buffer.from([0xff, 0x61]))).message,
      "openai-compatible request failed: 500 \uFFFDa"
    )
    const server = await serve(({ response }) => {
      response.writeHead(503, { "content-length": "100" })
      response.write("part", () => response.destroy())
    })
    const error = errorOf(await collect(to(server.baseUrl)))
    assert.strictEqual(error.code, 503)
    assert.match(error.message, /^openai-compatible request failed: 503( part)?$/)
  })

  it("P17.4: the key is not told in another spelling either", async () => {
    const apiKey = "SK-ab+c/d9"
    const tellOf = async (body: string, status: number, headers: Record<string, string> = {}) => {
      const server = await serve(({ response }) => response.writeHead(status, headers).end(body))
      return JSON.stringify(await collect(to(server.baseUrl, { apiKey })))
    }
    const told = [
      await tellOf('{"error":"bad SK-ab\\u002Bc/d9"}', 401),
      await tellOf('{"error":"bad SK-ab+c\\/d9"}', 401),
      await tellOf("", 200, { "content-type": `text/html; for=${apiKey}` })
    ]
    for (const line of told) {
      assert.notMatch(line, /ab(\+|\\+u002b)c/i)
      assert.include(line, "[REDACTED]")
    }
  })

  it("P17.4: the key is never told, wherever the server puts it", async () => {
    const seen = async (pieces: ReadonlyArray<string>) => JSON.stringify(await collect(over(fetchOf(pieces))))
    const told = [
      JSON.stringify(await refusedWith(401, `bad key ${KEY}, really ${KEY}`)),
      await seen([sse({ error: { message: `bad key ${KEY}`, code: KEY } })]),
      await seen([sse({ error: { [KEY]: KEY } })]),
      await seen([`data: {nonsense ${KEY}\n\n`]),
      await seen([`data: ${"x".repeat(290)}${KEY}\n\n`]),
      JSON.stringify(
        await collect(over(() => Promise.reject(new Error(`cannot send ${KEY}`, { cause: new Error(KEY) }))))
      )
    ]
    for (const words of told) {
      assert.include(words, "REDACTED")
      assert.notInclude(words, "sk-key")
    }
  })

  it("P17.4: a key across the 64 KiB bound leaves no part of itself", async () => {
    const bodies = Array.from(
      { length: KEY.length * 2 },
      (_, shift) => `${"x".repeat(65_536 - shift)}${KEY}${"y".repeat(200)}`
    )
    for (const error of await Promise.all(bodies.map(errorOfBody))) assert.notInclude(error.message, "sk")
    const { message } = await errorOfBody(`${KEY} `.repeat(5_000))
    assert.notInclude(message, "sk")
  })

  it("P17.4: a refusal that breaks off within the key leaves no part of it", async () => {
    let pulls = 0
    const body = new ReadableStream({
      pull: (controls) => {
        pulls += 1
        if (pulls === 1) controls.enqueue(new TextEncoder().encode(`bad key ${KEY.slice(0, 20)}`))
        else controls.error(new Error("gone"))
      }
    })
    assert.deepStrictEqual(errorOf(await collect(over(() => Promise.resolve(new Response(body, { status: 401 }))))), {
      message: "openai-compatible request failed: 401 bad key",
      code: 401
    })
  })

  it("P17.4: a key with a line end, and keys in headers, are known without it and without their scheme", async () => {
    const provider = createOpenAICompatibleProvider({
      baseUrl: "http://host.test/v1",
      fetch: echo,
      apiKey: `${KEY}\n`,
      headers: { "X-Api-Key": "header-key-1", "x-short-token": "on" }
    })
    const { message } = errorOf(
      await collect(provider, hello({ options: { headers: { "x-session-token": "Token token-2-of-host" } } }))
    )
    assert.match(message, /^openai-compatible request failed: 400 (Bearer )?\[REDACTED\] \[REDACTED\] \[REDACTED\] on$/)
  })

  it("P17.4: a server that nobody runs, and a name that nobody has, get the codes of the socket", async () => {
    const port = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, "127.0.0.1", () => {
        const address = probe.address()
        probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
    const refused = errorOf(await collect(to(`http://127.0.0.1:${port}/v1`)))
    assert.strictEqual(refused.code, "ECONNREFUSED")
    assert.match(refused.message, /^openai-compatible request failed: .*ECONNREFUSED/)
  })

  it("P17.5: a connection that breaks off in a stream is an error with the code of a reset, after what came", async () => {
    const server = await serve(({ response }) => {
      stream(response)
      response.write(chunk({ content: "a" }), () => response.socket?.destroy())
    })
    const events = await collect(to(server.baseUrl))
    assert.deepStrictEqual(events[0], text("a"))
    assert.strictEqual(events.length, 2)
    assert.strictEqual(errorOf(events).code, "ECONNRESET")
    assert.match(errorOf(events).message, /^openai-compatible stream failed: /)
  })

  it("P17.5: a connection that closes before the head of an answer is an error with the code of a reset", async () => {
    const server = await serve(({ response }) => response.socket?.destroy())
    assert.strictEqual(errorOf(await collect(to(server.baseUrl))).code, "ECONNRESET")
  })

  it("P17.5: a stream that ends without [DONE] is an error, after the usage it reported", async () => {
    const server = await serve(({ response }) => {
      stream(response)
      response.end(chunk({ content: "a" }) + stop + sse({ choices: [], usage: { prompt_tokens: 5 } }))
    })
    assert.deepStrictEqual(await collect(to(server.baseUrl)), [
      text("a"),
      { type: "usage", usage: { inputTokens: 5 } },
      { type: "error", error: { message: "openai-compatible stream ended without [DONE]", code: "incomplete_stream" } }
    ])
  })

  it("P17.5: an answer without a body, and one of another type, say so", async () => {
    const empty = await collect(over(() => Promise.resolve(new Response(null, { status: 204 }))))
    assert.deepStrictEqual(errorOf(empty), {
      message: "openai-compatible stream ended without a finish reason: there was no body",
      code: "incomplete_stream"
    })
    const html = await collect(over(fetchOf(["<html>Log in</html>"], { "content-type": "text/html; charset=utf-8" })))
    assert.deepStrictEqual(errorOf(html), {
      message: "openai-compatible stream ended without a finish reason (content type text/html; charset=utf-8)",
      code: "incomplete_stream"
    })
  })

  it("P17.5: a server that answers with one JSON document instead of a stream is understood", async () => {
    const answer = {
      choices: [{ message: { content: "whole" }, finish_reason: "stop" }],
      usage: { completion_tokens: 1 }
    }
    const server = await serve(({ response }) => {
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(answer))
    })
    assert.deepStrictEqual(await collect(to(server.baseUrl)), [
      text("whole"),
      { type: "usage", usage: { outputTokens: 1 } },
      { type: "done", usage: { outputTokens: 1 } }
    ])
  })

  it("P17.6: a document of more than 524,288 bytes is an error", async () => {
    const json = { "content-type": "application/json" }
    assert.strictEqual((await collect(over(fetchOf([document(524_288)], json)))).at(-1)?.type, "done")
    assert.deepStrictEqual(errorOf(await collect(over(fetchOf([document(524_289)], json)))), {
      message: "openai-compatible sent a document of more than 524288 bytes",
      code: "answer_too_large"
    })
  })

  it("P17.6: an event that never ends is an error, and its socket is closed", async () => {
    const server = await serve(({ response }) => {
      stream(response)
      response.write("data: ")
      const more = (): void => {
        while (response.write("x".repeat(65_536)));
        response.once("drain", more)
      }
      more()
    })
    const events = await collect(to(server.baseUrl))
    assert.deepStrictEqual(events, [
      {
        type: "error",
        error: { message: "openai-compatible sent an event of more than 524288 bytes", code: "event_too_large" }
      }
    ])
    await (
      await server.next()
    ).closed
  })

  it("P17.6: bytes that come one by one over a socket make the same events", async () => {
    const server = await serve(({ response }) => {
      stream(response)
      const bytes = Buffer.from(chunk({ content: "é😀" }) + stop + DONE)
      const write = (at: number): void => {
        if (at === bytes.length) response.end()
        else response.write(bytes.subarray(at, at + 1), () => setImmediate(write, at + 1))
      }
      write(0)
    })
    assert.deepStrictEqual(await collect(to(server.baseUrl)), [text("é😀"), { type: "done" }])
  })

  it("P17.5: a complete answer is read to the end of its body, so that its connection can be used again", async () => {
    const ended = latch()
    let pulls = 0
    const body = new ReadableStream(
      {
        pull: (controls) => {
          pulls += 1
          if (pulls === 1) return controls.enqueue(new TextEncoder().encode(stop + DONE))
          controls.close()
          ended.open()
        },
        cancel: () => assert.fail("the body was cancelled")
      },
      { highWaterMark: 0 }
    )
    const headers = { "content-type": "text/event-stream" }
    const events = await collect(over(() => Promise.resolve(new Response(body, { headers }))))
    assert.deepStrictEqual(events, [{ type: "done" }])
    await ended.opened
  })

  it("P17.5: a server that keeps the connection open behind [DONE] delays nothing and is left", async () => {
    const server = await serve(({ response }) => {
      stream(response)
      response.write(stop + DONE)
    })
    assert.deepStrictEqual(await collect(to(server.baseUrl)), [{ type: "done" }])
    await (
      await server.next()
    ).closed
  })
})
