import { assert, describe, it } from "@effect/vitest"
import { assembleProviderInput, type ProviderInputParts } from "../../src/input/assembleInput.ts"
import { createMiddlewareRegistry } from "../../src/middleware/Middleware.ts"

const model = { provider: "p", model: "m" }

/** What a host that knows no types hands over. */
const untyped = <A>(value: unknown): A => value as A

const problem = async (parts: Partial<ProviderInputParts>): Promise<string> => {
  try {
    await assembleProviderInput({ model, input: "Hi", ...parts })
    return "accepted"
  } catch (error) {
    assert.instanceOf(error, TypeError)
    return error.message
  }
}

const hook = (name: string, value: unknown) => {
  const middleware = createMiddlewareRegistry()
  middleware.use(name, () => untyped(value))
  return middleware
}

describe("what hosts answer during assembly", () => {
  it("names the builder and what came instead of messages", async () => {
    assert.strictEqual(
      await problem({ inputBuilder: { build: () => untyped(7) } }),
      "inputBuilder must return a list of messages with a role and content, not number"
    )
    assert.strictEqual(
      await problem({ promptBuilder: { build: () => untyped(["x"]) } }),
      "promptBuilder must return messages with a role and content, not string at [0]"
    )
    assert.strictEqual(
      await problem({ inputBuilder: { build: () => untyped([{ role: "boss", content: [] }]) } }),
      "inputBuilder must return messages with a role and content, not object at [0]"
    )
  })

  it("names the context provider and what came instead of blocks", async () => {
    assert.strictEqual(
      await problem({ context: [{ name: "files", resolve: () => untyped([{ content: 7 }]) }] }),
      "Context provider files must return context blocks with text as content, not object at [0]"
    )
    assert.strictEqual(
      await problem({ context: [{ resolve: () => untyped(null) }] }),
      "context[0] must return context blocks with text as content, not null at [0]"
    )
  })

  it("names the hook", async () => {
    assert.strictEqual(
      await problem({ middleware: hook("input_assembly", [null]) }),
      "input_assembly middleware must return messages with a role and content, not null at [0]"
    )
    assert.strictEqual(
      await problem({ middleware: hook("context", {}) }),
      "context middleware must return a list of context blocks with text as content, not object"
    )
    assert.strictEqual(
      await problem({ middleware: hook("prompt_build", {}) }),
      "prompt_build middleware must return a list of messages with a role and content, not undefined"
    )
  })
})
