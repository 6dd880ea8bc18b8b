import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

describe("maxItems", () => {
  it("counts items, whatever they are", () => {
    accepts({ maxItems: 2 }, [], [1, 1], [[1, 2, 3]])
    refuses({ maxItems: 2 }, [1, 2, 3], [null, null, null])
    accepts({ maxItems: 0 }, [])
    refuses({ maxItems: 0 }, [[]])
    refuses({ maxItems: 1, items: { type: "integer" } }, [1, 2])
  })

  it("is silent on what is no array", () => {
    accepts({ maxItems: 0 }, "a", 1, null, { a: 1 })
  })

  it("says the bound and the count", () => {
    explains({ maxItems: 1 }, [1, 2], ["must have at most 1 item, got 2"])
    explains({ maxItems: 0 }, [1], ["must have at most 0 items, got 1"])
  })

  it("J12: must be an integer of at least 0", () => {
    for (const bad of [-1, 1.5, "1", null, true]) {
      assert.strictEqual(rejection({ maxItems: bad }), "#/maxItems: must be an integer of at least 0")
    }
  })
})
