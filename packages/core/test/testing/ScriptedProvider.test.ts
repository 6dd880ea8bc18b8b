import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import type { ProviderRequest } from "../../src/ports/AIProvider.ts"
import { providerDone, providerTextDelta } from "../../src/provider/providerEvents.ts"
import type { ProviderEvent } from "../../src/schema/ProviderEvent.ts"
import { createScriptedProvider, type ScriptedProvider } from "../../src/testing/ScriptedProvider.ts"
import { rejection, settle, untyped } from "../dispatch/dispatching.ts"

const request: ProviderRequest = { model: { provider: "mock", model: "m" }, messages: [] }
const iterate = (provider: ScriptedProvider, given = request) => provider.generate(given)[Symbol.asyncIterator]()
const collect = async (provider: ScriptedProvider, given = request): Promise<Array<ProviderEvent>> => {
  const events: Array<ProviderEvent> = []
  for await (const event of provider.generate(given)) events.push(event)
  return events
}

describe("createScriptedProvider", () => {
  it("a step that fails throws out of the iterator, which is over then", async () => {
    const error = new Error("503")
    const provider = createScriptedProvider([[providerTextDelta("a"), { fail: error }, providerDone()]])
    const iterator = iterate(provider)
    await iterator.next()
    assert.strictEqual(await rejection(iterator.next()), error)
    assert.deepEqual(await iterator.next(), { value: undefined, done: true })
    assert.strictEqual(provider.open, 0)
    assert.strictEqual(provider.closed, 0)
  })

  it("an iterator that is left early counts as closed, one that came to its end does not", async () => {
    const provider = createScriptedProvider([[providerTextDelta("a"), providerDone()]])
    const iterator = iterate(provider)
    await iterator.next()
    assert.deepInclude(provider, { open: 1, closed: 0 })
    await iterator.return?.()
    await iterator.return?.()
    assert.deepInclude(provider, { open: 0, closed: 1 })
    assert.deepEqual(await iterator.next(), { value: undefined, done: true })
    await collect(provider)
    assert.deepInclude(provider, { open: 0, closed: 1 })
  })

  it("a hanging turn never answers, and is closed by who gives it up", async () => {
    const provider = createScriptedProvider([[{ hang: true }]])
    const iterator = iterate(provider)
    let answered = false
    void iterator.next().then(() => (answered = true))
    await settle()
    assert.isFalse(answered)
    await iterator.return?.()
    assert.deepInclude(provider, { open: 0, closed: 1 })
  })

  it("turns are answered one after the other, the last one for ever", async () => {
    const provider = createScriptedProvider([[providerTextDelta("a")], [providerTextDelta("b")]])
    const texts = []
    for (let turn = 0; turn < 3; turn += 1) texts.push(await collect(provider))
    assert.deepEqual(texts, [[providerTextDelta("a")], [providerTextDelta("b")], [providerTextDelta("b")]])
    assert.deepEqual(await collect(createScriptedProvider([])), [])
  })

  it("requests are kept with their messages as they were sent", async () => {
    const provider = createScriptedProvider([[providerDone()]])
    const messages: Array<ProviderRequest["messages"][number]> = []
    await collect(provider, { ...request, messages })
    messages.push({ role: "user", content: [] })
    assert.deepEqual(provider.requests[0]?.messages, [])
    assert.strictEqual(provider.requests[0]?.model, request.model)
    assert.strictEqual(provider.id, "mock")
    assert.strictEqual(createScriptedProvider([], { id: "own" }).id, "own")
  })

  it("a turn may depend on its request, and a step may run something", async () => {
    const ran: Array<unknown> = []
    const provider = createScriptedProvider([
      ({ model }) => [{ run: (given) => void ran.push(given.model) }, providerTextDelta(model.model)]
    ])
    assert.deepEqual(await collect(provider), [providerTextDelta("m")])
    assert.deepEqual(ran, [request.model])
  })

  it.effect("a wait takes its time by the clock it was given; closed meanwhile, nothing follows", () =>
    Effect.gen(function* () {
      const runPromise = Effect.runPromiseWith(yield* Effect.context())
      const provider = createScriptedProvider([[{ wait: 1000 }, providerTextDelta("late")]], { runPromise })
      const reading = yield* Effect.forkChild(
        Effect.promise(() => collect(provider)),
        { startImmediately: true }
      )
      yield* TestClock.adjust(999)
      assert.isUndefined(reading.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepEqual(yield* Fiber.join(reading), [providerTextDelta("late")])
      const iterator = iterate(provider)
      const next = iterator.next()
      yield* Effect.promise(() => untyped<Promise<unknown>>(iterator.return?.()))
      yield* TestClock.adjust(1000)
      assert.deepEqual(yield* Effect.promise(() => next), { value: undefined, done: true })
    })
  )
})
