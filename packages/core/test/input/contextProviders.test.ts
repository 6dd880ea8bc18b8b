import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { contextSteps, providersOf, throwIfAborted } from "../../src/input/contextProviders.ts"
import type { AssemblyContext, ContextProvider } from "../../src/ports/Input.ts"
import { drivePromise, unstoppable } from "../../src/ports/Steps.ts"

const contextOf = (signal: AbortSignal): AssemblyContext => ({
  sessionId: "s",
  runId: "r",
  turn: 2,
  signal,
  metadata: { m: 1 }
})
const resolve = (providers: ReadonlyArray<ContextProvider>, signal = new AbortController().signal) =>
  drivePromise(contextSteps(providers, contextOf(signal)), unstoppable)

const thrown = (signal: AbortSignal) => {
  try {
    return throwIfAborted(signal)
  } catch (error) {
    return error
  }
}

describe("throwIfAborted", () => {
  it("S15: throws the reason if it is an error, else that the run was aborted", () => {
    const reason = new Error("mine")
    assert.strictEqual(thrown(AbortSignal.abort(reason)), reason)
    assert.strictEqual((thrown(AbortSignal.abort("text")) as Error).message, "Agent run aborted")
    assert.isUndefined(thrown(new AbortController().signal))
  })
})

describe("contextSteps", () => {
  it("S47: an abort between providers throws, and the next one is not asked", async () => {
    const controller = new AbortController()
    const asked: Array<string> = []
    const providers: ReadonlyArray<ContextProvider> = [
      {
        resolve: () => {
          asked.push("first")
          controller.abort("stop")
          return { content: "1" }
        }
      },
      { resolve: () => void asked.push("second") }
    ]
    const outcome = await resolve(providers, controller.signal).catch((error: Error) => error.message)
    assert.strictEqual(outcome, "Agent run aborted")
    assert.deepEqual(asked, ["first"])
  })

  it("S47: a provider that fails fails the assembly", async () => {
    const failing: ContextProvider = { resolve: () => Effect.fail(new Error("no context")) }
    const outcome = await resolve([failing]).catch((error: Error) => error.message)
    assert.strictEqual(outcome, "no context")
  })

  it("S47: asks one after the other, in order, and takes a block, several or none", async () => {
    const log: Array<string> = []
    const slow: ContextProvider = {
      resolve: ({ metadata, runId, sessionId, turn }) =>
        Effect.gen(function* () {
          log.push("slow starts")
          yield* Effect.yieldNow
          log.push("slow ends")
          return [{ content: `${sessionId} ${runId} ${turn} ${String(metadata["m"])}` }, { title: "T", content: "2" }]
        })
    }
    const none: ContextProvider = { resolve: () => void log.push("none") }
    const single: ContextProvider = { resolve: () => Promise.resolve({ content: "3" }) }
    assert.deepEqual(await resolve([slow, none, single]), [
      { content: "s r 2 1" },
      { title: "T", content: "2" },
      { content: "3" }
    ])
    assert.deepEqual(log, ["slow starts", "slow ends", "none"])
  })

  it("S47: the agent's providers stand before those of its skills", () => {
    const [a, b, c] = ["a", "b", "c"].map((name): ContextProvider => ({ name, resolve: () => undefined })) as [
      ContextProvider,
      ContextProvider,
      ContextProvider
    ]
    const skills = [{ name: "x", context: [b] }, { name: "y" }, { name: "z", context: [c] }]
    assert.deepEqual(providersOf([a], skills), [a, b, c])
    assert.deepEqual(providersOf(undefined, undefined), [])
  })
})
