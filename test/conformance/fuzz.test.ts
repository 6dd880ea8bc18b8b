import { assert, describe, it } from "@effect/vitest"
import { explanations } from "./explanations.ts"
import { fuzz } from "./fuzz.ts"
import { Random } from "./Random.ts"
import { randomSchema } from "./randomSchemas.ts"

describe("random schemas and values", () => {
  it(
    "are judged alike by both tiers, by the specification read literally, and by Ajv where it is not known to be wrong",
    {
      timeout: 60_000
    },
    () => {
      const { cases, accepted, explained, unexplained } = fuzz({ cases: 3_000, seed: 1 })
      assert.deepStrictEqual(unexplained, [])
      assert.strictEqual(cases, 3_000)
      assert.isAbove(accepted, 900)
      assert.isBelow(accepted, 2_100)
      const names = explanations.map(({ name }) => name)
      for (const name of explained.keys()) assert.include(names, name)
    }
  )

  it("are the same for the same seed", () => {
    const make = (): string => JSON.stringify(randomSchema(new Random(7), "2020-12"))
    assert.strictEqual(make(), make())
  })
})
