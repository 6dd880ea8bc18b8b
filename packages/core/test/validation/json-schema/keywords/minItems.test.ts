import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

describe("minItems", () => {
  it("counts items, whatever they are", () => {
    accepts({ minItems: 2 }, [1, 1], [null, null], [[], [], []])
    refuses({ minItems: 2 }, [], [[1, 2, 3]])
    accepts({ minItems: 0 }, [])
  })

  it("is silent on what is no array", () => {
    accepts({ minItems: 2 }, "a", 1, null, {}, { length: 0 })
  })

  it("says the bound and the count", () => {
    explains({ minItems: 1 }, [], ["must have at least 1 item, got 0"])
    explains({ type: "array", minItems: 3 }, [1, 2], ["must have at least 3 items, got 2"])
  })

  it("J12: must be an integer of at least 0", () => {
    for (const bad of [-1, 1.5, "1", null, true]) {
      assert.strictEqual(rejection({ minItems: bad }), "#/minItems: must be an integer of at least 0")
    }
  })
})
