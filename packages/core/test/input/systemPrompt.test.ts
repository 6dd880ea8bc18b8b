import { assert, describe, it } from "@effect/vitest"
import { composeSystemPrompt, runSystemPrompt } from "../../src/input/systemPrompt.ts"

const empty = (mode: "append" | "prepend" | "replace" | "disable") =>
  composeSystemPrompt({ text: "", mode }, { base: ["", "base"] })

describe("composeSystemPrompt", () => {
  it("S51: nothing is undefined", () => {
    assert.isUndefined(composeSystemPrompt([]))
    assert.isUndefined(composeSystemPrompt(undefined, { base: "" }))
    assert.isUndefined(composeSystemPrompt({ text: "" }, { base: [""] }))
    assert.isUndefined(composeSystemPrompt({ text: "ignored", mode: "disable" }, { base: "base" }))
  })

  it("S51: base first, then layers by the rank of their source, in the given order within one", () => {
    const layers = [
      { text: "run", source: "run" },
      { text: "app", source: "app" },
      { text: "none" },
      { text: "unknown", source: "unknown" },
      { text: "package", source: "package" },
      { text: "odd", source: "elsewhere" as never },
      { text: "user", source: "user" },
      { text: "app 2", source: "app" }
    ] as const
    assert.strictEqual(
      composeSystemPrompt(layers, { base: ["one", "two"] }),
      "one\n\ntwo\n\nuser\n\npackage\n\nnone\n\nunknown\n\nodd\n\napp\n\napp 2\n\nrun"
    )
    assert.strictEqual(
      composeSystemPrompt({ text: "__proto__", source: "__proto__" as never }, { base: "b" }),
      "b\n\n__proto__"
    )
  })

  it("S51: prepends, replaces and disables what lies below", () => {
    const under = { text: "under", source: "user" } as const
    const over = { text: "over", source: "run" } as const
    const layers = (mode: "prepend" | "replace" | "disable", text = "it") => [
      under,
      { text, mode, source: "app" } as const,
      over
    ]
    assert.strictEqual(composeSystemPrompt(layers("prepend"), { base: "base" }), "it\n\nbase\n\nunder\n\nover")
    assert.strictEqual(composeSystemPrompt(layers("replace"), { base: "base" }), "it\n\nover")
    assert.strictEqual(composeSystemPrompt(layers("disable"), { base: "base" }), "over")
  })

  it("S51: an empty text is skipped, an empty disable is not", () => {
    assert.deepEqual(
      [empty("append"), empty("prepend"), empty("replace"), empty("disable")],
      ["base", "base", "base", undefined]
    )
  })
})

describe("runSystemPrompt", () => {
  it("S52: false on the run leaves only the instructions", () => {
    assert.strictEqual(runSystemPrompt("base", { text: "agent" }, false), "base")
    assert.isUndefined(runSystemPrompt(undefined, { text: "agent" }, false))
  })

  it("S52: instructions are the base, the agent's layers stand before the run's", () => {
    assert.strictEqual(runSystemPrompt("base", [{ text: "agent" }], { text: "run" }), "base\n\nagent\n\nrun")
    assert.strictEqual(runSystemPrompt("base", false, { text: "run" }), "base\n\nrun")
    assert.strictEqual(runSystemPrompt("base", undefined, undefined), "base")
    const app = { text: "app", source: "app" } as const
    assert.strictEqual(runSystemPrompt(undefined, app, { text: "user", source: "user" }), "user\n\napp")
  })
})
