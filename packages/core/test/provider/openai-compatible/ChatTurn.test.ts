import { assert, describe, it } from "@effect/vitest"
import { getEventListeners } from "node:events"
import { createOpenAICompatibleProvider } from "../../../src/provider/openai-compatible/index.ts"
import type { ProviderEvent } from "../../../src/schema/ProviderEvent.ts"
import { chunk, collect, DONE, fetchOf, hello, latch, serve, start, stream, text } from "./loopback.ts"

const open = (baseUrl: string, signal?: AbortSignal) =>
  start(createOpenAICompatibleProvider({ baseUrl }), hello({ signal }))

const over = (...pieces: ReadonlyArray<string>) =>
  createOpenAICompatibleProvider({ baseUrl: "http://host.test/v1", fetch: fetchOf(pieces) })

const rejectionOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => assert.fail(`expected a rejection, not ${JSON.stringify(value)}`),
    (error: unknown) => error
  )

const END: IteratorResult<ProviderEvent, unknown> = { done: true, value: undefined }
const firstDelta = chunk({ content: "a" })

describe("ChatTurn", () => {
  it("P17.4: a signal that is aborted already rejects with its reason, whatever that is, and nothing is sent", async () => {
    let asked = 0
    const fetch = (): Promise<Response> => {
      asked += 1
      return fetchOf([])()
    }
    const provider = createOpenAICompatibleProvider({
      baseUrl: "http://host.test/v1",
      fetch,
      apiKey: () => assert.fail("asked")
    })
    const reasons = [new Error("enough"), "just text", 0]
    const turns = reasons.map((reason) => start(provider, hello({ signal: AbortSignal.abort(reason) })))
    assert.deepStrictEqual(await Promise.all(turns.map((turn) => rejectionOf(turn.next()))), reasons)
    assert.deepStrictEqual(await Promise.all(turns.map((turn) => turn.next())), [END, END, END])
    assert.strictEqual(asked, 0)
  })

  it("P17.4: an abort before the head of the answer closes the socket and rejects with the reason", async () => {
    const server = await serve(() => {})
    const controller = new AbortController()
    const iterator = open(server.baseUrl, controller.signal)
    const pending = rejectionOf(iterator.next())
    const { closed } = await server.next()
    const reason = new Error("stop")
    controller.abort(reason)
    assert.strictEqual(await pending, reason)
    await closed
    assert.deepStrictEqual(await iterator.next(), END)
  })

  it("P17.4: an abort in the middle of an event closes the socket and rejects with the reason", async () => {
    const server = await serve(({ response }) => {
      stream(response)
      response.write(`${firstDelta}data: {"cho`)
    })
    const controller = new AbortController()
    const iterator = open(server.baseUrl, controller.signal)
    assert.deepStrictEqual(await iterator.next(), { done: false, value: text("a") })
    const pending = rejectionOf(iterator.next())
    const { closed } = await server.next()
    controller.abort("stop")
    assert.strictEqual(await pending, "stop")
    await closed
  })

  it("P17.4: an abort while nobody waits closes the socket at once, and events that lay ready are not handed out", async () => {
    const server = await serve(({ response }) => {
      stream(response)
      response.write(firstDelta + firstDelta + firstDelta)
    })
    const controller = new AbortController()
    const iterator = open(server.baseUrl, controller.signal)
    await iterator.next()
    const { closed } = await server.next()
    controller.abort("stop")
    await closed
    assert.strictEqual(await rejectionOf(iterator.next()), "stop")
    assert.deepStrictEqual(await iterator.next(), END)
  })

  it("P17.4: an abort does not wait for a key that never comes", async () => {
    const controller = new AbortController()
    const provider = createOpenAICompatibleProvider({
      baseUrl: "http://host.test/v1",
      fetch: () => assert.fail("sent"),
      apiKey: () => new Promise(() => {})
    })
    const pending = rejectionOf(start(provider, hello({ signal: controller.signal })).next())
    controller.abort("stop")
    assert.strictEqual(await pending, "stop")
  })

  it("P17.4: an abort does not wait for a fetch that ignores it", async () => {
    const controller = new AbortController()
    const asked = latch()
    const fetch = (): Promise<Response> => {
      asked.open()
      return new Promise(() => {})
    }
    const provider = createOpenAICompatibleProvider({ baseUrl: "http://host.test/v1", fetch })
    const pending = rejectionOf(start(provider, hello({ signal: controller.signal })).next())
    await asked.opened
    controller.abort("stop")
    assert.strictEqual(await pending, "stop")
  })

  it("P17.4, P17.6: neither an abort nor return() waits for a body that cannot be cancelled", async () => {
    const controller = new AbortController()
    const cancelled = latch()
    const stopped = latch()
    const body = () =>
      new ReadableStream({
        start: (controls) => controls.enqueue(new TextEncoder().encode(firstDelta)),
        cancel: () => {
          cancelled.open()
          return new Promise(() => {})
        }
      })
    const provider = createOpenAICompatibleProvider({
      baseUrl: "http://host.test/v1",
      fetch: (_, init) => {
        init?.signal?.addEventListener("abort", stopped.open)
        return Promise.resolve(new Response(body()))
      }
    })
    const aborted = start(provider, hello({ signal: controller.signal }))
    await aborted.next()
    const pending = rejectionOf(aborted.next())
    controller.abort("stop")
    assert.strictEqual(await pending, "stop")
    await cancelled.opened
    await stopped.opened
    const left = start(provider)
    await left.next()
    assert.deepStrictEqual(await left.return?.(), END)
  })

  it("P17.6: leaving the loop closes the socket", async () => {
    const server = await serve(({ response }) => {
      stream(response)
      response.write(firstDelta)
    })
    const seen: Array<ProviderEvent> = []
    for await (const event of createOpenAICompatibleProvider({ baseUrl: server.baseUrl }).generate(hello())) {
      seen.push(event)
      break
    }
    assert.deepStrictEqual(seen, [text("a")])
    await (
      await server.next()
    ).closed
  })

  it("P17.6: return() ends a next() that waits, closes the socket and can be called again", async () => {
    const server = await serve(({ response }) => stream(response))
    const iterator = open(server.baseUrl)
    const pending = iterator.next()
    const { closed } = await server.next()
    assert.deepStrictEqual(await iterator.return?.(), END)
    assert.deepStrictEqual(await pending, END)
    await closed
    assert.deepStrictEqual(await iterator.return?.(), END)
    assert.deepStrictEqual(await iterator.next(), END)
  })

  it("P17.6: return() before the first next() sends nothing, then or later", async () => {
    const provider = createOpenAICompatibleProvider({
      baseUrl: "http://host.test/v1",
      fetch: () => assert.fail("sent")
    })
    const iterator = start(provider)
    assert.deepStrictEqual(await iterator.return?.(), END)
    assert.deepStrictEqual(await iterator.next(), END)
  })

  it.for([
    { pieces: [chunk({}, "stop"), DONE, firstDelta], type: "done" },
    { pieces: ["data: {\n\n", firstDelta, DONE], type: "error" }
  ])("P17.5: nothing follows the terminal event $type", async ({ pieces, type }) => {
    const turn = start(over(...pieces))
    assert.strictEqual((await turn.next()).value?.type, type)
    assert.deepStrictEqual(await turn.next(), END)
    assert.deepStrictEqual(await turn.next(), END)
  })

  it("P17.4: an abort after the terminal event changes nothing", async () => {
    const controller = new AbortController()
    const provider = over(chunk({}, "stop"), DONE)
    const iterator = start(provider, hello({ signal: controller.signal }))
    assert.strictEqual((await iterator.next()).value?.type, "done")
    controller.abort("late")
    assert.deepStrictEqual(await iterator.next(), END)
  })

  it("P17.7: next() calls that overlap are answered in order", async () => {
    const iterator = start(over(chunk({ content: "a" }), chunk({ content: "b" }), chunk({}, "stop") + DONE))
    const results = await Promise.all([
      iterator.next(),
      iterator.next(),
      iterator.next(),
      iterator.next(),
      iterator.next()
    ])
    assert.deepStrictEqual(results, [
      { done: false, value: text("a") },
      { done: false, value: text("b") },
      { done: false, value: { type: "done" } },
      END,
      END
    ])
  })

  it("P17.4: no listener stays on the signal, whatever way the turn ended", async () => {
    const controller = new AbortController()
    const { signal } = controller
    const listeners = (): number => getEventListeners(signal, "abort").length
    await collect(over(firstDelta, chunk({}, "stop"), DONE), hello({ signal }))
    assert.strictEqual(listeners(), 0)
    await collect(over(firstDelta), hello({ signal }))
    assert.strictEqual(listeners(), 0)
    const refused = hello({ signal, messages: [{ role: "user", content: [{ type: "image", url: "u" }] }] })
    await rejectionOf(collect(over(), refused))
    assert.strictEqual(listeners(), 0)
    const left = start(over(firstDelta), hello({ signal }))
    await left.next()
    assert.strictEqual(listeners(), 1)
    await left.return?.()
    assert.strictEqual(listeners(), 0)
    const aborted = start(over(firstDelta), hello({ signal }))
    await aborted.next()
    controller.abort()
    assert.strictEqual(listeners(), 0)
  })
})
