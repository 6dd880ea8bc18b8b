import { assert, describe, it } from "@effect/vitest"
import { accepts, draft04, draft07, explains, refuses, rejection } from "../verdicts.ts"

const contains = { type: "integer" }

describe("contains", () => {
  it("wants one item that matches", () => {
    accepts({ contains }, [1], ["a", 1], [1, 2, 3])
    refuses({ contains }, [], ["a"], [[1]], [1.5])
    accepts({ contains }, "a", null, {}, { 0: 1 })
  })

  it("takes booleans", () => {
    accepts({ contains: true }, [null])
    refuses({ contains: true }, [])
    refuses({ contains: false }, [], [1])
  })

  it("says how many were wanted and found", () => {
    explains({ contains }, ["a"], ["must contain at least 1 item that match, got 0"])
    explains({ contains, minContains: 2 }, [1], ["must contain at least 2 items that match, got 1"])
    explains({ contains, maxContains: 2 }, [1, 2, 3], ["must contain at most 2 items that match, got 3"])
  })

  it("is unknown to draft-04, and known to draft-07 without its bounds", () => {
    accepts({ $schema: draft04, contains }, [])
    refuses({ $schema: draft07, contains }, ["a"])
    refuses({ $schema: draft07, contains, minContains: 0 }, ["a"])
    accepts({ $schema: draft07, contains, maxContains: 1, minContains: "x" }, [1, 2])
  })
})

describe("minContains", () => {
  it("counts the items that match", () => {
    accepts({ contains, minContains: 2 }, [1, 2], [1, "a", 1])
    refuses({ contains, minContains: 2 }, [1], ["a", 1], [])
  })

  it("of 0 wants none", () => {
    accepts({ contains, minContains: 0 }, [], ["a"], [1])
    accepts({ contains: false, minContains: 0 }, [], [1])
    accepts({ contains, minContains: 0, maxContains: 1 }, [], ["a"], [1, "a"])
    refuses({ contains, minContains: 0, maxContains: 1 }, [1, 2])
  })

  it("says nothing without contains", () => {
    accepts({ minContains: 2 }, [], [1])
    accepts({ maxContains: 0 }, [1])
  })

  it("J12: must be an integer of at least 0", () => {
    for (const bad of [-1, 0.5, "1", null]) {
      assert.strictEqual(rejection({ minContains: bad }), "#/minContains: must be an integer of at least 0")
      assert.strictEqual(rejection({ maxContains: bad }), "#/maxContains: must be an integer of at least 0")
    }
  })
})

describe("maxContains", () => {
  it("counts the items that match", () => {
    accepts({ contains, maxContains: 2 }, [1], [1, 2, "a", null])
    refuses({ contains, maxContains: 2 }, [1, 2, 3], [])
  })

  it("of 0 is at odds with the one item that contains wants", () => {
    refuses({ contains, maxContains: 0 }, [], [1], ["a"])
    accepts({ contains, minContains: 0, maxContains: 0 }, [], ["a"])
    refuses({ contains, minContains: 0, maxContains: 0 }, [1])
  })

  it("below minContains admits no array", () => {
    refuses({ contains, minContains: 3, maxContains: 2 }, [1], [1, 2], [1, 2, 3])
  })
})
