import { assert, describe, it } from "@effect/vitest"
import { assertPorts } from "../../src/agent/assertPorts.ts"
import { messageOf, run, scripted, text, untyped } from "../run/runs.ts"
import { openSession } from "../../src/session/openSession.ts"
import { makeAgent } from "../../src/agent/Agent.ts"
import { model } from "../run/runs.ts"

const bad: ReadonlyArray<readonly [object, string]> = [
  [{ provider: { id: "x" } }, "provider must have the function generate"],
  [{ store: { append: () => undefined } }, "store must have the function list"],
  [{ store: null }, "store must have the function append, list"],
  [{ runLedger: {} }, "runLedger must have the function appendRun, appendEvent, appendToolCall, appendUsage"],
  [{ middleware: 7 }, "middleware must have the function run"],
  [{ permission: { check: true } }, "permission must have the function check"],
  [{ redactor: {} }, "redactor must have the function redact"],
  [{ inputBuilder: [] }, "inputBuilder must have the function build"],
  [{ promptBuilder: {} }, "promptBuilder must have the function build"],
  [{ resourceLoader: {} }, "resourceLoader must have the function load"],
  [{ context: {} }, "context must be a list"],
  [{ context: [{ resolve: () => undefined }, null] }, "context[1] must have the function resolve"],
  [{ instructionInjectors: [{}] }, "instructionInjectors[0] must have the function apply"],
  [{ providerRequestPolicies: {} }, "providerRequestPolicies must have the function apply"],
  [{ providerRequestPolicies: [7] }, "providerRequestPolicies[0] must have the function apply"],
  [{ providerSource: {} }, "providerSource must be a function"],
  [{ validator: "strict" }, "validator must be a function"],
  [{ validate: "strict" }, "validate must be a function"]
]

describe("assertPorts", () => {
  it("refuses a field without its function, and says which", () => {
    for (const [options, message] of bad) assert.throws(() => assertPorts(options), TypeError, message)
  })

  it("takes methods of classes, absent fields and fields that it does not know", () => {
    class Store {
      append(): void {}
      list(): ReadonlyArray<never> {
        return []
      }
    }
    const policy = { apply: () => undefined }
    for (const options of [
      {},
      { store: new Store() },
      { store: undefined },
      { providerRequestPolicies: policy },
      { mine: {} }
    ]) {
      assert.doesNotThrow(() => assertPorts(options))
    }
  })

  it("is asked by agent, session and run, before anything happens", async () => {
    assert.throws(() => scripted([], untyped({ runLedger: {} })), TypeError)
    assert.throws(
      () => openSession(makeAgent({ model }), { store: untyped({}) }),
      TypeError,
      "store must have the function append, list"
    )
    const { provider, session } = scripted([[text("a")]])
    const message = await messageOf(run(session, "hi", { redactor: untyped({}) }))
    assert.strictEqual(message, "redactor must have the function redact")
    assert.lengthOf(provider.requests, 0)
    assert.strictEqual((await run(session)).text, "a")
  })
})
