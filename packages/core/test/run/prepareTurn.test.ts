import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createToolRegistry } from "../../src/tool/ToolRegistry.ts"
import { failure, run, scripted, text, tool, toolCall } from "./runs.ts"

describe("a registry that prepares turns", () => {
  it("S43: is waited for before each turn, which sends and runs what it lists then", async () => {
    let registry = createToolRegistry([tool("first")])
    const prepared: Array<number> = []
    const { provider, session } = scripted([[toolCall("1", "first")], [toolCall("2", "second")], [text("done")]], {
      limits: { maxToolRounds: 4 },
      tools: {
        register: (one) => registry.register(one),
        get: (name) => registry.get(name),
        resolve: (name) => registry.resolve(name),
        list: () => registry.list(),
        prepareTurn: () =>
          Effect.sync(() => {
            prepared.push(provider.requests.length)
            if (prepared.length === 2) registry = createToolRegistry([tool("second")])
          })
      }
    })
    const { status } = await run(session)
    assert.strictEqual(status, "succeeded")
    assert.deepStrictEqual(prepared, [0, 1, 2])
    assert.deepStrictEqual(
      provider.requests.map(({ tools }) => tools?.map(({ name }) => name)),
      [["first"], ["second"], ["second"]]
    )
  })

  it("S43: fails the run with what it fails with", async () => {
    const registry = createToolRegistry()
    const { provider, session } = scripted([[text("never")]], {
      tools: { ...registry, prepareTurn: () => Promise.reject(new Error("no list")) }
    })
    assert.include((await failure(run(session))).message, "no list")
    assert.strictEqual(provider.requests.length, 0)
  })
})
