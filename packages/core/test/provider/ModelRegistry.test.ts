import { assert, describe, it } from "@effect/vitest"
import { createModelRegistry } from "../../src/provider/ModelRegistry.ts"

const model = (provider: string, name: string, displayName = "") => ({ provider, model: name, displayName })

describe("createModelRegistry", () => {
  it("D15: a second registration throws where duplicates are errors", () => {
    const twice = [model("p", "m"), model("p", "m")]
    assert.throws(() => createModelRegistry(twice, { duplicate: "error" }), /^Duplicate model: p\/m$/)
  })

  it("D16: an unknown model throws from resolve and is undefined from get", () => {
    const registry = createModelRegistry([model("p", "m")])
    assert.throws(() => registry.resolve("p", "x"), /^Unknown model: p\/x$/)
    assert.throws(() => registry.resolve("q", "m"), /^Unknown model: q\/m$/)
    assert.isUndefined(registry.get("q", "m"))
  })

  it("D16: a slash in a name makes no two models one", () => {
    const registry = createModelRegistry([model("p", "a/m"), model("p/a", "m")], { duplicate: "error" })
    assert.strictEqual(registry.resolve("p/a", "m").provider, "p/a")
    assert.strictEqual(registry.resolve("p", "a/m").provider, "p")
  })

  it("D15, D16: by default a later one replaces an earlier one, in its place", () => {
    const registry = createModelRegistry([model("p", "b"), model("p", "a")])
    registry.register(model("p", "b", "new"))
    assert.deepEqual(
      registry.list().map(({ model: name, displayName }) => [name, displayName]),
      [
        ["b", "new"],
        ["a", ""]
      ]
    )
  })
})
