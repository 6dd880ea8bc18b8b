import { assert, describe, it } from "@effect/vitest"
import type { AIProvider, ProviderRequest } from "../../src/ports/AIProvider.ts"
import type { ProviderEvent } from "../../src/schema/ProviderEvent.ts"
import { createMockProvider } from "../../src/provider/MockProvider.ts"
import { providerDone, providerTextDelta } from "../../src/provider/providerEvents.ts"

const request: ProviderRequest = { model: { provider: "mock", model: "m" }, messages: [] }
const events = [providerTextDelta("a"), providerTextDelta("b"), providerDone()]

const play = async (provider: AIProvider, asked = request): Promise<Array<ProviderEvent>> => {
  const seen: Array<ProviderEvent> = []
  for await (const event of provider.generate(asked)) seen.push(event)
  return seen
}
const reason = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (error: unknown) => error
  )

describe("createMockProvider", () => {
  it("D6: an aborted request gets no event, but the signal's reason", async () => {
    const error = new Error("stop")
    const asked: Array<ProviderRequest> = []
    const provider = createMockProvider(events, { onRequest: (given) => asked.push(given) })
    assert.strictEqual(await reason(play(provider, { ...request, signal: AbortSignal.abort(error) })), error)
    assert.strictEqual(asked.length, 1)
  })

  it("D6: the signal is looked at before every event, and nothing comes after its reason", async () => {
    const controller = new AbortController()
    const error = new Error("stop")
    const turn = createMockProvider(events).generate({ ...request, signal: controller.signal })
    const iterator = turn[Symbol.asyncIterator]()
    assert.deepEqual((await iterator.next()).value, events[0])
    controller.abort(error)
    assert.strictEqual(await reason(iterator.next()), error)
    assert.isTrue((await iterator.next()).done)
  })

  it("D5: what onRequest throws fails the turn before its first event", async () => {
    const error = new Error("no")
    const onRequest = () => {
      throw error
    }
    assert.strictEqual(await reason(play(createMockProvider(events, { onRequest }))), error)
  })

  it("D5: onRequest is called once per turn, when the first event is asked for", async () => {
    const asked: Array<ProviderRequest> = []
    const provider = createMockProvider(events, { onRequest: (given) => asked.push(given) })
    const iterator = provider.generate(request)[Symbol.asyncIterator]()
    assert.deepEqual(asked, [])
    await iterator.next()
    await iterator.next()
    assert.strictEqual(asked.length, 1)
    assert.strictEqual(asked[0], request)
    await play(provider)
    assert.strictEqual(asked.length, 2)
    const silent = createMockProvider([], { onRequest: (given) => asked.push(given) }).generate(request)
    const silence = silent[Symbol.asyncIterator]()
    await silence.next()
    await silence.next()
    assert.strictEqual(asked.length, 3)
  })

  it("D4: every turn plays the same list from its start, also side by side and after an early end", async () => {
    const provider = createMockProvider(events)
    for await (const _ of provider.generate(request)) break
    assert.deepEqual(await Promise.all([play(provider), play(provider)]), [events, events])
    assert.deepEqual(await play(provider), events)
  })

  it("D4: an iterator that was returned has ended", async () => {
    const iterator = createMockProvider(events).generate(request)[Symbol.asyncIterator]()
    await iterator.next()
    assert.isTrue((await iterator.return?.())?.done)
    assert.isTrue((await iterator.next()).done)
  })

  it("D4: by default it is called mock and plays a lone done", async () => {
    assert.deepEqual(await play(createMockProvider()), [{ type: "done" }])
    assert.strictEqual(createMockProvider().id, "mock")
    assert.strictEqual(createMockProvider([], { id: "own" }).id, "own")
    assert.deepEqual(await play(createMockProvider([])), [])
  })
})
