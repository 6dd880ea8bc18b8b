import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createMiddlewareRegistry } from "../../src/middleware/Middleware.ts"
import type { ProviderRequest, ProviderRequestPolicy } from "../../src/ports/AIProvider.ts"
import { createSecretRedactor } from "../../src/security/Redactor.ts"
import { failure, run, scripted, text, tool, toolCall, untyped, user } from "../run/runs.ts"

const policy = (name: string, answer: (request: ProviderRequest) => unknown): ProviderRequestPolicy => ({
  name,
  apply: (request) => untyped(answer(request))
})
const tagged = (request: ProviderRequest, tag: string): ProviderRequest => ({
  ...request,
  metadata: { ...request.metadata, [tag]: Object.keys(request.metadata ?? {}).length }
})

describe("prepareRequest", () => {
  it("S40: a policy that returns garbage fails the run, says which, and sends nothing", async () => {
    for (const garbage of [undefined, null, 7, {}, { request: null }, { request: { messages: [] } }, []]) {
      const { provider, session } = scripted([[text("a")]])
      const error = await failure(run(session, "hi", { providerRequestPolicies: policy("p", () => garbage) }))
      assert.strictEqual(
        error.message,
        "Provider request policy p must return a provider request with a model and messages"
      )
      assert.lengthOf(provider.requests, 0)
      assert.strictEqual((await run(session)).text, "a")
    }
    const { session } = scripted([[text("a")]], { providerRequestPolicies: { apply: () => untyped(undefined) } })
    assert.strictEqual(
      (await failure(run(session))).message,
      "A provider request policy must return a provider request with a model and messages"
    )
  })

  it("S55: provider_request middleware that throws or returns garbage fails the run and says so", async () => {
    const middleware = createMiddlewareRegistry({ errorPolicy: "throw" })
    const { provider, session } = scripted([[text("a")]], { middleware })
    const undo = middleware.use("provider_request", () => untyped(7))
    assert.strictEqual(
      (await failure(run(session))).message,
      "provider_request middleware must return a provider request with a model and messages"
    )
    undo()
    middleware.use("provider_request", () => {
      throw new Error("hook")
    })
    assert.strictEqual((await failure(run(session))).message, "hook")
    assert.lengthOf(provider.requests, 0)
  })

  it("S17: an abort from inside a policy, without anything to wait for, sends nothing", async () => {
    const { provider, session } = scripted([[text("a")]])
    const aborting = policy("p", (request) => {
      session.abort("from a policy")
      return request
    })
    const error = await failure(run(session, "hi", { providerRequestPolicies: aborting }))
    assert.deepStrictEqual([error.result.status, error.result.abortReason], ["aborted", "from a policy"])
    assert.lengthOf(provider.requests, 0)
  })

  it("S40, S41: policies of the agent come first, then the run's, then middleware; each once per turn", async () => {
    const order: Array<string> = []
    const noting = (name: string) =>
      policy(name, (request) => {
        order.push(name)
        return Effect.succeed(tagged(request, name))
      })
    const middleware = createMiddlewareRegistry()
    middleware.use<ProviderRequest>("provider_request", (request) => {
      order.push("middleware")
      return tagged(request, "middleware")
    })
    const { provider, session } = scripted([[toolCall("c", "t")], [text("a")]], {
      middleware,
      tools: [tool("t")],
      providerRequestPolicies: [noting("a1"), noting("a2")]
    })
    await run(session, "hi", { providerRequestPolicies: noting("r") })
    const once = ["a1", "a2", "r", "middleware"]
    assert.deepStrictEqual(order, [...once, ...once])
    assert.deepStrictEqual(provider.requests[1]?.metadata, { a1: 0, a2: 1, r: 2, middleware: 3 })
  })

  it("S41: the secrets of a policy are removed from that turn's error, wherever it is told", async () => {
    const { session } = scripted([[{ fail: new Error("bad key sk-1") }], [{ fail: new Error("bad key sk-1") }]])
    const keyed = policy("key", (request) => ({ request, secrets: ["sk-1", undefined] }))
    const error = await failure(run(session, "hi", { providerRequestPolicies: keyed }))
    assert.strictEqual(error.result.error?.message, "bad key [REDACTED]")
    assert.strictEqual((await failure(run(session))).result.error?.message, "bad key sk-1")
  })

  it("S43: prompt_build middleware changes messages and not the tools", async () => {
    const middleware = createMiddlewareRegistry()
    middleware.use<Record<string, unknown>>("prompt_build", (parts) => ({
      ...parts,
      messages: [user("changed")],
      tools: []
    }))
    const { provider, session } = scripted([[text("a")]], { middleware, tools: [tool("t")] })
    await run(session)
    const request = provider.requests[0]
    assert.deepStrictEqual(request?.messages, [user("changed")])
    assert.deepStrictEqual(
      request?.tools?.map(({ name }) => name),
      ["t"]
    )
  })

  it("S14: the request has the run's signal, whatever a policy or a hook puts in its place", async () => {
    const seen: Array<AbortSignal | undefined> = []
    const middleware = createMiddlewareRegistry()
    middleware.use<ProviderRequest>("provider_request", (request) => ({ ...request, signal: undefined }))
    const own = policy("own", (request) => {
      seen.push(request.signal)
      return { ...request, signal: AbortSignal.abort() }
    })
    const { provider, session } = scripted([[text("a")]], { middleware, providerRequestPolicies: own })
    await run(session)
    assert.strictEqual(provider.requests[0]?.signal, seen[0])
    assert.isFalse(provider.requests[0]?.signal?.aborted)
  })

  it("R11: the request is redacted behind policies and hooks; a tool's function is not lost by it", async () => {
    const middleware = createMiddlewareRegistry()
    middleware.use<ProviderRequest>("provider_request", (request) => ({ ...request, metadata: { key: "sk-2" } }))
    const { provider, session } = scripted([[toolCall("c", "t")], [text("a")]], {
      middleware,
      redactor: createSecretRedactor(["sk-1", "sk-2"]),
      instructions: "use sk-1",
      tools: [tool("t", () => "value sk-1", { description: "knows sk-1" })]
    })
    await run(session, "my key is sk-1")
    const sent = JSON.stringify(provider.requests)
    assert.notInclude(sent, "sk-1")
    assert.notInclude(sent, "sk-2")
    assert.include(sent, "my key is [REDACTED]")
    assert.include(sent, "value [REDACTED]")
  })
})
