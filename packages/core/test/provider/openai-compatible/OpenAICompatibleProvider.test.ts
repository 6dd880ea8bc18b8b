import { assert, describe, it, onTestFinished } from "@effect/vitest"
import { LLMock } from "@copilotkit/aimock"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { UnsupportedModalityError } from "../../../src/errors/UnsupportedModalityError.ts"
import type { CredentialValueSource } from "../../../src/ports/Credentials.ts"
import { Provider } from "../../../src/provider/Provider.ts"
import { createOpenAICompatibleProvider, layer } from "../../../src/provider/openai-compatible/index.ts"
import { chunk, collect, DONE, errorOf, fetchOf, hello, model, serve, start, stream, text } from "./loopback.ts"

const answer = [chunk({ content: "hi" }), chunk({}, "stop"), DONE]

/** A `fetch` that answers and remembers what it was asked. */
const recording = () => {
  const calls: Array<{ readonly url: unknown; readonly init: RequestInit; readonly headers: Headers }> = []
  const fetch: typeof globalThis.fetch = (url, init = {}) => {
    calls.push({ url, init, headers: new Headers(init.headers) })
    return fetchOf(answer)()
  }
  return { calls, fetch }
}

/** The authorization of two requests in a row. */
const keysSent = async (apiKey: CredentialValueSource | undefined): Promise<ReadonlyArray<string | null>> => {
  const { calls, fetch } = recording()
  const provider = createOpenAICompatibleProvider({ id: "mine", baseUrl: "http://host.test/v1", fetch, apiKey })
  await collect(provider)
  await collect(provider)
  return calls.map(({ headers }) => headers.get("authorization"))
}

const independent = async () => {
  const mock = new LLMock({ port: 0 })
  await mock.start()
  onTestFinished(() => mock.stop())
  return { mock, provider: createOpenAICompatibleProvider({ baseUrl: `${mock.url}/v1`, apiKey: "sk-test-1234" }) }
}

const thrown = (options: unknown) => () =>
  // What a host without types may pass.
  createOpenAICompatibleProvider(options as { readonly baseUrl: string })

const refused = (shown: string) => `baseUrl must be an absolute http or https URL, not ${shown}`

describe("createOpenAICompatibleProvider", () => {
  it("P17.1: a wrong option throws at construction, names the field and shows the value", () => {
    assert.throws(thrown({ baseUrl: "localhost:1234/v1" }), TypeError, refused('"localhost:1234/v1"'))
    assert.throws(thrown({ baseUrl: "/v1" }), TypeError, refused('"/v1"'))
    assert.throws(thrown({ baseUrl: "" }), TypeError, refused('""'))
    assert.throws(thrown({ baseUrl: "ftp://host/v1" }), TypeError, refused('"ftp://host/v1"'))
    assert.throws(thrown({}), TypeError, refused("undefined"))
    assert.throws(thrown({ baseUrl: "http://h/v1", id: " " }), TypeError, 'id must be text that is not blank, not " "')
  })

  it("P17.2: an address with a password, a query or a fragment throws and shows none of them", () => {
    for (const baseUrl of [
      "http://user:hunter2@host/v1",
      "http://host/v1?key=hunter2",
      "http://host/v1#hunter2",
      "x://u:hunter2@h"
    ]) {
      try {
        createOpenAICompatibleProvider({ baseUrl })
        assert.fail("expected a TypeError")
      } catch (error) {
        assert.instanceOf(error, TypeError)
        assert.match(String(error), /baseUrl must .* not "\S*"$/)
        assert.notInclude(String(error), "hunter2")
      }
    }
  })

  it("P17.1: construction and a generate that nobody reads do no I/O and ask for no key", () => {
    const { calls, fetch } = recording()
    let asked = 0
    const apiKey = () => {
      asked += 1
      return "k"
    }
    createOpenAICompatibleProvider({ baseUrl: "http://host.test/v1", fetch, apiKey }).generate(hello())
    assert.deepStrictEqual([calls.length, asked], [0, 0])
  })

  it("P17.2: a request that cannot be built rejects before a key is asked for and anything is sent", async () => {
    const { calls, fetch } = recording()
    const provider = createOpenAICompatibleProvider({
      baseUrl: "http://host.test/v1",
      fetch,
      apiKey: () => assert.fail("the key was asked for")
    })
    const image = { type: "image", url: "u" } as const
    const iterator = start(provider, hello({ messages: [{ role: "user", content: [image] }] }))
    const refusal = await iterator.next().catch((error: unknown) => error)
    assert.instanceOf(refusal, UnsupportedModalityError)
    assert.deepStrictEqual(await iterator.next(), { done: true, value: undefined })
    const cyclic: Record<string, unknown> = {}
    cyclic["self"] = cyclic
    const unsendable = hello({ model: { ...model, parameters: cyclic } })
    assert.instanceOf(await collect(provider, unsendable).catch((error: unknown) => error), TypeError)
    assert.strictEqual(calls.length, 0)
  })

  it("P17.4: posts JSON to the base address without its trailing slashes, and follows no redirect", async () => {
    const { calls, fetch } = recording()
    const addresses = ["http://host.test/v1", "http://host.test/v1/", "http://host.test/v1///"]
    const turns = addresses.map((baseUrl) => collect(createOpenAICompatibleProvider({ baseUrl, fetch })))
    for (const events of await Promise.all(turns)) assert.deepStrictEqual(events, [text("hi"), { type: "done" }])
    for (const { headers, init, url } of calls) {
      assert.strictEqual(url, "http://host.test/v1/chat/completions")
      assert.strictEqual(init.method, "POST")
      assert.strictEqual(init.redirect, "error")
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.deepInclude(JSON.parse(typeof init.body === "string" ? init.body : ""), {
        model: "test-model",
        stream: true
      })
      // Nobody asked to be traced by the server.
      assert.isNull(headers.get("traceparent"))
      assert.isNull(headers.get("b3"))
    }
    assert.strictEqual(calls.length, 3)
  })

  it("P17.4: a redirect is an error and its target is never asked", async () => {
    const server = await serve(({ response }) => {
      response.writeHead(307, { location: "/elsewhere" })
      response.end()
    })
    const error = errorOf(
      await collect(createOpenAICompatibleProvider({ baseUrl: server.baseUrl, apiKey: "sk-test-1234" }))
    )
    assert.include(error.message, "openai-compatible request failed: ")
    assert.deepStrictEqual(
      server.received.map(({ request }) => request.url),
      ["/v1/chat/completions"]
    )
  })

  it("P17.2: the key is asked for with every request, whatever kind of source it has", async () => {
    let count = 0
    const asked: Array<unknown> = []
    const resolver = {
      resolve: (request: unknown) => {
        asked.push(request)
        return { type: "api_key", value: "resolver-key" } as const
      }
    }
    assert.deepStrictEqual(await keysSent("text-key"), ["Bearer text-key", "Bearer text-key"])
    assert.deepStrictEqual(await keysSent(() => `key-${(count += 1)}`), ["Bearer key-1", "Bearer key-2"])
    assert.deepStrictEqual(await keysSent(() => Promise.resolve("a")), ["Bearer a", "Bearer a"])
    assert.deepStrictEqual(await keysSent(() => Effect.succeed("b")), ["Bearer b", "Bearer b"])
    assert.deepStrictEqual(await keysSent(resolver), ["Bearer resolver-key", "Bearer resolver-key"])
    const request = { name: "apiKey", provider: "mine" }
    assert.deepStrictEqual(asked, [request, request])
  })

  it("P17.2: without a key there is no authorization, unless the host sent its own", async () => {
    const none = [null, null]
    assert.deepStrictEqual(await keysSent(undefined), none)
    assert.deepStrictEqual(await keysSent(""), none)
    assert.deepStrictEqual(await keysSent(" "), none)
    assert.deepStrictEqual(await keysSent(() => undefined), none)
    const { calls, fetch } = recording()
    const headers = { Authorization: "Basic own" }
    await collect(createOpenAICompatibleProvider({ baseUrl: "http://host.test/v1", fetch, headers }))
    assert.strictEqual(calls[0]?.headers.get("authorization"), "Basic own")
  })

  it.for([
    () => {
      throw new Error("vault is closed")
    },
    () => Promise.reject(new Error("vault is closed")),
    () => Effect.fail(new Error("vault is closed"))
  ])("P17.2: a source of keys that fails is an error event, and nothing is sent", async (apiKey) => {
    const { calls, fetch } = recording()
    const provider = createOpenAICompatibleProvider({ baseUrl: "http://host.test/v1", fetch, apiKey })
    assert.strictEqual(errorOf(await collect(provider)).message, "vault is closed")
    assert.strictEqual(calls.length, 0)
  })

  it("P17.3: the request's headers win over the configured ones, and the protocol's over both, in any case", async () => {
    const { calls, fetch } = recording()
    const provider = createOpenAICompatibleProvider({
      baseUrl: "http://host.test/v1",
      fetch,
      apiKey: "real-key\n",
      headers: { "X-Team": "configured", "X-Kept": "yes", "CONTENT-TYPE": "text/plain", AUTHORIZATION: "Bearer fake" }
    })
    await collect(
      provider,
      hello({ options: { headers: { "x-team": "requested", Accept: "text/plain", authorization: "no" } } })
    )
    const headers = calls[0]?.headers
    assert.strictEqual(headers?.get("x-team"), "requested")
    assert.strictEqual(headers?.get("x-kept"), "yes")
    assert.strictEqual(headers?.get("content-type"), "application/json")
    assert.strictEqual(headers?.get("accept"), "text/event-stream")
    assert.strictEqual(headers?.get("authorization"), "Bearer real-key")
  })

  it("P17.5, P17.8: text and usage of an independent server", async () => {
    const { mock, provider } = await independent()
    mock.on({ userMessage: "hello" }, { content: "Hi there, this is some streamed text." })
    const events = await collect(provider)
    const deltas = events.filter((event) => event.type === "content_delta")
    assert.isAbove(deltas.length, 1)
    const said = deltas.map(({ content }) => (content.type === "text" ? content.text : "")).join("")
    assert.strictEqual(said, "Hi there, this is some streamed text.")
    const [usage, done] = events.slice(-2)
    assert.strictEqual(usage?.type, "usage")
    assert.strictEqual(done?.type, "done")
    const counts = done?.type === "done" ? done.usage : undefined
    assert.isAbove(counts?.inputTokens ?? 0, 0)
    assert.strictEqual(counts?.totalTokens, (counts?.inputTokens ?? 0) + (counts?.outputTokens ?? 0))
  })

  it("P17.7, P17.9: parallel calls of an independent server, and their results sent back", async () => {
    const { mock, provider } = await independent()
    // The first rule that fits answers, and the question is still there when the results come.
    mock.on({ toolCallId: "call_b" }, { content: "all seen" })
    mock.on(
      { userMessage: "hello" },
      {
        toolCalls: [
          { id: "call_a", name: "look", arguments: '{"at":"door"}' },
          { id: "call_b", name: "wait", arguments: "" }
        ]
      }
    )
    const calls = (await collect(provider)).flatMap((event) => (event.type === "tool_call" ? event.call : []))
    assert.deepStrictEqual(calls, [
      { type: "tool_call", id: "call_a", name: "look", arguments: { at: "door" } },
      { type: "tool_call", id: "call_b", name: "wait", arguments: {} }
    ])
    const events = await collect(
      provider,
      hello({
        messages: [
          { role: "user", content: [{ type: "text", text: "hello" }] },
          { role: "assistant", content: calls },
          { role: "tool", content: [{ type: "tool_result", toolCallId: "call_a", name: "look", result: "open" }] },
          { role: "tool", content: [{ type: "tool_result", toolCallId: "call_b", name: "wait", result: 1 }] }
        ]
      })
    )
    assert.strictEqual(
      events
        .map((event) => (event.type === "content_delta" && event.content.type === "text" ? event.content.text : ""))
        .join(""),
      "all seen"
    )
  })

  it("P17.4: the refusal of an independent server is one error event with its status", async () => {
    const { mock, provider } = await independent()
    mock.on({ userMessage: "hello" }, { error: { message: "slow down", type: "rate_limit_error" }, status: 429 })
    const events = await collect(provider)
    assert.strictEqual(events.length, 1)
    assert.strictEqual(errorOf(events).code, 429)
    assert.match(errorOf(events).message, /^openai-compatible request failed: 429 .*slow down/)
  })
})

describe("layer", () => {
  it("P17.1: a wrong option throws when the layer is declared", () => {
    assert.throws(() => layer({ baseUrl: "nowhere" }), "baseUrl must be an absolute http or https URL")
  })

  it.effect("P17.4: provides one provider for every model, over the host's client", () =>
    Effect.gen(function* () {
      const urls: Array<string> = []
      const client = HttpClient.make((request, url) => {
        urls.push(url.href)
        return Effect.promise(() => fetchOf(answer)()).pipe(
          Effect.map((web) => HttpClientResponse.fromWeb(request, web))
        )
      })
      const provider = yield* Provider.use(({ resolve }) => Effect.succeed(resolve(model))).pipe(
        Effect.provide(layer({ id: "mine", baseUrl: "http://host.test/v1" })),
        Effect.provideService(HttpClient.HttpClient, client)
      )
      assert.strictEqual(provider?.id, "mine")
      const events = yield* Effect.promise(() => (provider === undefined ? Promise.resolve([]) : collect(provider)))
      assert.deepStrictEqual(events, [text("hi"), { type: "done" }])
      assert.deepStrictEqual(urls, ["http://host.test/v1/chat/completions"])
    })
  )

  it.effect("P17.4: over fetch it follows no redirect either", () =>
    Effect.gen(function* () {
      const server = yield* Effect.promise(() =>
        serve(({ request, response }) => {
          if (request.url === "/elsewhere") {
            stream(response)
            response.end(answer.join(""))
          } else response.writeHead(307, { location: "/elsewhere" }).end()
        })
      )
      const provider = yield* Provider.use(({ resolve }) => Effect.succeed(resolve(model))).pipe(
        Effect.provide(layer({ baseUrl: server.baseUrl })),
        Effect.provide(FetchHttpClient.layer)
      )
      const events = yield* Effect.promise(() => (provider === undefined ? Promise.resolve([]) : collect(provider)))
      assert.include(errorOf(events).message, "openai-compatible request failed: ")
      assert.strictEqual(server.received.length, 1)
    })
  )
})
