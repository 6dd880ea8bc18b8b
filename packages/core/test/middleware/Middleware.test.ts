import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { createMiddlewareRegistry, hasMiddleware, runMiddleware } from "../../src/middleware/Middleware.ts"
import type { MiddlewareErrorEvent, MiddlewareRegistry } from "../../src/ports/MiddlewarePort.ts"

class Down extends Data.TaggedError("Down")<{ readonly message: string }> {}

/** A registry that keeps what it was told. */
const recording = (errorPolicy?: "event" | "throw", secrets: ReadonlyArray<string> = []) => {
  const told: Array<MiddlewareErrorEvent> = []
  const registry = createMiddlewareRegistry({
    ...(errorPolicy === undefined ? undefined : { errorPolicy }),
    secrets,
    onError: (event) => {
      told.push(event)
    }
  })
  return { registry, told, messages: () => told.map(({ error }) => error.message) }
}
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (error: unknown) => error
  )
const throwing = (message: string) => (): never => {
  throw new Error(message)
}
const append = (text: string) => (value: string) => value + text

describe("createMiddlewareRegistry", () => {
  it("S55, T23: under event a failure is told, redacted, and the chain goes on with the current value", async () => {
    const { registry, told } = recording("event", ["sk-1"])
    registry.use("h", append("a"))
    registry.use("h", throwing("bad sk-1"))
    registry.use("h", () => Promise.reject(new Error("worse")))
    registry.use("h", () => Effect.fail(new Down({ message: "worst" })))
    registry.use("h", append("b"))
    assert.strictEqual(await registry.run("h", "v"), "vab")
    assert.deepEqual(told[0], {
      type: "extension_error",
      extension: "middleware:h",
      error: { name: "Error", message: "bad [REDACTED]" }
    })
    assert.deepEqual(
      told.map(({ error }) => error.message),
      ["bad [REDACTED]", "worse", "worst"]
    )
  })

  it("S55: event is the default, and a registry without onError goes on too", async () => {
    const registry = createMiddlewareRegistry()
    registry.use("h", throwing("bad"))
    assert.strictEqual(await registry.run("h", "v"), "v")
  })

  it("S55: under throw the hook rejects at once with the error itself, and later middleware does not run", async () => {
    const { registry, told } = recording("throw")
    const ran: Array<string> = []
    const error = new Error("bad")
    registry.use("h", () => Promise.reject(error))
    registry.use("h", (value: string) => (ran.push(value), value))
    assert.strictEqual(await failure(registry.run("h", "v")), error)
    assert.deepEqual(ran, [])
    assert.deepEqual(told, [])
  })

  it("S55: a reporter that fails, at once or later, breaks nothing", async () => {
    const reporters = [throwing("reporter"), () => Promise.reject(new Error("reporter"))]
    const results = reporters.map((onError) => {
      const registry = createMiddlewareRegistry({ onError })
      registry.use("h", throwing("bad"))
      registry.use("h", append("!"))
      return registry.run("h", "v")
    })
    assert.deepEqual(await Promise.all(results), ["v!", "v!"])
  })

  it("S54: a second next is an error and the first value stands, even if the middleware caught it", async () => {
    const { registry, messages } = recording()
    registry.use<string>("h", (value, next) => {
      void next(`${value}1`)
      void next(`${value}2`)
    })
    registry.use<string>("h", async (value, next) => {
      await next(`${value}3`)
      await Promise.resolve()
        .then(() => next(`${value}4`))
        .catch(() => "caught")
    })
    assert.strictEqual(await registry.run("h", "v"), "v13")
    assert.deepEqual(messages(), Array(2).fill("Middleware called next() more than once"))

    const strict = recording("throw")
    strict.registry.use<string>("h", (_, next) => {
      void next("1")
      void next("2")
    })
    const error = await failure(strict.registry.run("h", "v"))
    assert.strictEqual(String(error), "Error: Middleware called next() more than once")
  })

  it.each(["event", "throw"] as const)("S54: after next a different return is only told, under %s", async (policy) => {
    const { registry, messages } = recording(policy)
    registry.use<string>("h", (value, next) => {
      void next(`${value}-next`)
      return `${value}-returned`
    })
    assert.strictEqual(await registry.run("h", "v"), "v-next")
    assert.deepEqual(messages(), ["Middleware called next() and returned another value"])
  })

  it("S54: a failure after next keeps the value of next", async () => {
    const { registry, messages } = recording()
    registry.use<string>("h", async (_, next) => {
      await next("next")
      throw new Error("late")
    })
    assert.strictEqual(await registry.run("h", "v"), "next")
    assert.deepEqual(messages(), ["late"])
  })

  it("S54: next that is called after the middleware ended changes nothing and is told", async () => {
    const { registry, messages } = recording()
    const kept: Array<(value: string) => Promise<string>> = []
    registry.use<string>("h", (value, next) => {
      kept.push(next)
      return value
    })
    registry.use("h", append("!"))
    const result = registry.run("h", "v")
    await kept[0]?.("late")
    assert.strictEqual(await result, "v!")
    assert.deepEqual(messages(), ["Middleware called next() after it had ended"])
  })

  it("S54: the value returned, or given to next, goes to the one after; nothing returned leaves it", async () => {
    const { registry, told } = recording("throw")
    registry.use<string>("h", (value) => `${value}1`)
    registry.use<string>("h", (value, next) => next(`${value}2`))
    registry.use<string>("h", async (value, next) => await next(`${value}3`))
    registry.use<string>("h", () => {})
    registry.use<string>("h", (value) => Effect.succeed(`${value}4`))
    registry.use<string>("h", (value, next) => {
      void next(`${value}5`)
    })
    assert.strictEqual(await registry.run("h", "v"), "v12345")
    assert.deepEqual(told, [])
  })

  it("S53: hooks are apart, by any name, and an unused one returns the value", async () => {
    const registry = createMiddlewareRegistry()
    registry.use("tool_call", append("!"))
    registry.use("constructor", append("?"))
    const value = { a: 1 }
    assert.strictEqual(await registry.run("tool_result", value), value)
    assert.strictEqual(await registry.run("tool_call", "v"), "v!")
    assert.strictEqual(await registry.run("constructor", "v"), "v?")
  })

  it("S53: what use returned removes that one registration, once", async () => {
    const registry = createMiddlewareRegistry()
    const bang = append("!")
    const remove = registry.use("h", bang)
    registry.use("h", bang)
    assert.sameOrderedMembers<unknown>([...registry.list("h")], [bang, bang])
    remove()
    remove()
    assert.sameOrderedMembers<unknown>([...registry.list("h")], [bang])
    assert.deepEqual(registry.list("other"), [])
    assert.strictEqual(await registry.run("h", "v"), "v!")
  })

  it("S53: a run under way is not changed by use or removal", async () => {
    const registry = createMiddlewareRegistry()
    registry.use<string>("h", (value) => {
      registry.use("h", append("late"))
      remove()
      return value
    })
    const remove = registry.use("h", append("!"))
    assert.strictEqual(await registry.run("h", "v"), "v!")
    assert.strictEqual(await registry.run("h", "v"), "vlate")
  })

  it("S53: what is no function is refused when it is handed in", () => {
    const registry = createMiddlewareRegistry()
    assert.throws(() => registry.use("h", undefined as never), TypeError, "Middleware for h must be a function")
  })
})

describe("runMiddleware, hasMiddleware", () => {
  it("S53: without a registry or a middleware nothing waits and the very value comes back", () => {
    const value = { a: 1 }
    const registry = createMiddlewareRegistry()
    registry.use("other", append("!"))
    for (const given of [undefined, registry]) {
      assert.deepEqual(runMiddleware(given, "h", value).next(), { done: true, value })
      assert.isFalse(hasMiddleware(given, "h"))
    }
    assert.isTrue(hasMiddleware(registry, "other"))
  })

  it("S54: middleware that answers at once makes nothing wait", () => {
    const registry = createMiddlewareRegistry()
    registry.use("h", append("!"))
    assert.deepEqual(runMiddleware(registry, "h", "v").next(), { done: true, value: "v!" })
  })

  it("S53: a host's own registry is asked by run, on itself", () => {
    class HostRegistry {
      readonly suffix = "?"
      async run(_: string, value: string): Promise<string> {
        return value + this.suffix
      }
    }
    // Only `run` is asked for.
    const host = new HostRegistry() as unknown as MiddlewareRegistry
    const steps = runMiddleware(host, "h", "v")
    assert.isTrue(hasMiddleware(host, "h"))
    assert.instanceOf(steps.next().value, Promise)
    assert.deepEqual(steps.next("v?"), { done: true, value: "v?" })
  })

  it("S53: a registry whose run a host replaced is asked by that run", () => {
    const registry = createMiddlewareRegistry()
    registry.use("h", append("!"))
    const wrapped: MiddlewareRegistry = { ...registry, run: (_, value) => Promise.resolve(value) }
    assert.instanceOf(runMiddleware(wrapped, "h", "v").next().value, Promise)
  })
})
