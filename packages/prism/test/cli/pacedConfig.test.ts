import {
  createMockProvider,
  createProviderRegistry,
  createProviderResolver,
  providerDone,
  providerTextDelta,
  providerThinkingDelta
} from "@arnilo/prism-core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { setImmediate } from "node:timers/promises"
import { Output } from "../../src/cli/Output.ts"
import { pacedConfig } from "../../src/cli/pacedConfig.ts"
import { writeRun } from "../../src/cli/writeRun.ts"
import { type AgentConfig, type AIProvider, createAgent, type ProviderEvent } from "../../src/index.ts"
import { Sink } from "./Sink.ts"

const EVENTS = 20_000

const line = providerTextDelta(`${"x".repeat(1000)}\n`)

/** Always has its next event ready, without a turn of the event loop in between, and counts what it was asked for. */
const flood = (event: ProviderEvent = line) => {
  const counted = { asked: 0 }
  const next = (): Promise<IteratorResult<ProviderEvent>> => {
    counted.asked += 1
    if (counted.asked > EVENTS + 1) return Promise.resolve({ done: true, value: undefined })
    return Promise.resolve({ done: false, value: counted.asked > EVENTS ? providerDone() : event })
  }
  const provider: AIProvider = { id: "flood", generate: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) }
  return { counted, provider }
}

/** Aborts in the next turn of the event loop. */
const abortSoon = (): AbortController => {
  const controller = new AbortController()
  void setImmediate().then(() => controller.abort("SIGINT"))
  return controller
}

const model = { provider: "flood", model: "m" }
const maxQueuedEvents = Number.MAX_SAFE_INTEGER

const run = (config: AgentConfig, output: Output) =>
  writeRun(createAgent(pacedConfig(config, output)).createSession().stream("Hi", { maxQueuedEvents }), "print", output)

describe("pacedConfig", () => {
  it.live("a provider is asked for no more while a reader lags, and nothing is lost", () =>
    Effect.gen(function* () {
      const sink = new Sink()
      const output = new Output(sink)
      const { counted, provider } = flood()
      sink.stall()
      const running = yield* Effect.forkChild(run({ model, provider }, output), { startImmediately: true })
      while (output.room === undefined) yield* Effect.promise(() => setImmediate())
      const { asked } = counted
      // A megabyte of kilobytes, and the events that may be ahead of it.
      assert.isBelow(asked, 1049 + 512)
      for (let turn = 0; turn < 5; turn++) yield* Effect.promise(() => setImmediate())
      assert.isAtMost(counted.asked, asked + 1)
      sink.resume()
      yield* Fiber.join(running)
      assert.strictEqual(sink.text.split("\n").length - 1, EVENTS)
    })
  )

  it.live("a provider that never waits leaves signals and timers their turn, whatever is written", () =>
    Effect.gen(function* () {
      const { counted, provider } = flood(providerThinkingDelta("hm"))
      const output = new Output(new Sink())
      const { signal } = yield* Effect.sync(() => abortSoon())
      const session = createAgent(pacedConfig({ model, provider }, output)).createSession()
      const error = yield* Effect.flip(writeRun(session.stream("Hi", { maxQueuedEvents, signal }), "print", output))
      assert.include(String(error), "Agent run aborted")
      assert.isBelow(counted.asked, 1000)
    })
  )

  it.live("a resolved provider is held up alike, and an unknown one stays unknown", () =>
    Effect.gen(function* () {
      const sink = new Sink()
      const output = new Output(sink)
      const { provider } = flood()
      const providerSource = createProviderResolver(createProviderRegistry([provider]))
      yield* run({ model, providerSource }, output)
      assert.strictEqual(sink.text.length, EVENTS * 1001)
      const error = yield* Effect.flip(run({ model: { provider: "other", model: "m" }, providerSource }, output))
      assert.include(String(error), "Unknown provider: other")
    })
  )

  it.live("a provider that answers with no stream is refused by the session in its own words", () =>
    Effect.gen(function* () {
      // What a host in JavaScript may get wrong.
      const provider = { id: "odd", generate: () => undefined } as unknown as AIProvider
      const error = yield* Effect.flip(run({ model, provider }, new Output(new Sink())))
      assert.include(String(error), "Provider odd returned no async iterable")
    })
  )

  it("what the config says otherwise is kept, and the given one is not changed", () => {
    const provider = createMockProvider()
    const config: AgentConfig = { model, provider, instructions: "be kind" }
    const paced = pacedConfig(config, new Output(new Sink()))
    assert.deepInclude(paced, { model, instructions: "be kind" })
    assert.strictEqual(paced.provider?.id, "mock")
    assert.strictEqual(config.provider, provider)
  })
})
