import { assert, describe, it } from "@effect/vitest"
import { readConcurrency, resolveToolConcurrency } from "../../src/dispatch/resolveToolConcurrency.ts"
import type { AgentLoopOptions } from "../../src/ports/LoopStrategy.ts"
import { untyped } from "./dispatching.ts"

const of = (toolConcurrency?: unknown): { readonly loop: AgentLoopOptions } => ({
  loop: { strategy: "single-shot", toolConcurrency: untyped<number>(toolConcurrency) }
})
const custom = { loop: { name: "own", run: () => undefined, toolConcurrency: 8 } }
const artifact = { loop: untyped<AgentLoopOptions>({ strategy: "generate-validate-revise", toolConcurrency: 8 }) }

describe("resolveToolConcurrency", () => {
  it("T24: what is missing, not finite or below 1 is 1", () => {
    for (const value of [undefined, null, 0, -4, 0.9, Number.NaN, Infinity, -Infinity, "4", {}]) {
      assert.strictEqual(resolveToolConcurrency(of(value), {}), 1)
      assert.strictEqual(readConcurrency(untyped<number>(value)), 1)
    }
    assert.strictEqual(resolveToolConcurrency({}, {}), 1)
    assert.strictEqual(resolveToolConcurrency({ loop: undefined }, { loop: undefined }), 1)
  })

  it("T24: a loop of the host's own, or one for artifacts, has 1", () => {
    assert.strictEqual(resolveToolConcurrency(custom, {}), 1)
    assert.strictEqual(resolveToolConcurrency(custom, of(4)), 1)
    assert.strictEqual(resolveToolConcurrency({}, custom), 1)
    assert.strictEqual(resolveToolConcurrency(artifact, of(4)), 1)
  })

  it("T24: the run's loop wins over the agent's, whole", () => {
    assert.strictEqual(resolveToolConcurrency({}, of(4)), 4)
    assert.strictEqual(resolveToolConcurrency(of(2), of(4)), 2)
    assert.strictEqual(resolveToolConcurrency(of(), of(4)), 1)
    assert.strictEqual(resolveToolConcurrency({ loop: undefined }, of(4)), 4)
  })

  it("T24: fractions floor", () => {
    assert.strictEqual(resolveToolConcurrency(of(2.9), {}), 2)
    assert.strictEqual(resolveToolConcurrency(of(1.1), {}), 1)
    assert.strictEqual(resolveToolConcurrency(of(1000), {}), 1000)
  })
})
