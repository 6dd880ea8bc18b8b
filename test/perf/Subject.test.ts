import { assert, describe, it } from "@effect/vitest"
import { probeArguments, probeFault } from "./Subject.ts"

describe("probeFault", () => {
  it("refuses what the schema refuses", () => {
    assert.strictEqual(probeFault({ path: "a", depth: 1 }), "depth is not known")
    for (const path of [undefined, "", 1]) assert.strictEqual(probeFault({ path }), "path must be text")
    for (const limit of [0, 5001, 1.5, "10"]) {
      assert.strictEqual(probeFault({ path: "a", limit }), "limit must be an integer from 1 to 5000")
    }
  })

  it("lets the arguments of the benches through", () => {
    assert.isUndefined(probeFault(probeArguments))
    assert.isUndefined(probeFault({ path: "a" }))
  })
})
