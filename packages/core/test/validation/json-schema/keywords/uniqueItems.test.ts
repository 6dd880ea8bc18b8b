import { assert, describe, it } from "@effect/vitest"
import { accepts, explains, refuses, rejection } from "../verdicts.ts"

const long = Array.from({ length: 30 }, (_, index) => index)

describe("uniqueItems", () => {
  it("tells values apart by type and value", () => {
    accepts({ uniqueItems: true }, [], [1], [1, true, "1", null, [1], { 1: 1 }], [0, false, "", null, [], {}])
    refuses({ uniqueItems: true }, [1, 1], ["a", "b", "a"], [null, 1, null], [false, false])
    refuses({ uniqueItems: true }, [0, -0], [1, Number.parseFloat("1.0")], [100, 1e2])
  })

  it("compares deeply", () => {
    refuses(
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 }
      ],
      [[{ a: [] }], [{ a: [] }]],
      [{}, {}],
      [[0], [-0]]
    )
    accepts(
      { uniqueItems: true },
      [{ a: 1 }, { a: "1" }],
      [
        [1, 2],
        [2, 1]
      ],
      [["a,b"], ["a", "b"]],
      [{ "a:1,b": 1 }, { a: 1, b: 1 }],
      [["1"], [1]],
      [{ a: { b: 1 } }, { a: { b: 2 } }]
    )
  })

  it("takes no array for an object, nor a prototype's member for an own one", () => {
    accepts({ uniqueItems: true }, [["a"], { 0: "a" }], [{}, { toString: 1 }], [[], {}])
  })

  it("holds for long lists", () => {
    accepts({ uniqueItems: true }, long, [...long, "0"], [...long, [0]])
    refuses({ uniqueItems: true }, [...long, 29], [...long, -0], [...long, { a: 1 }, { a: 1 }])
  })

  it("answers a long list of objects in time", () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({ index }))
    accepts({ uniqueItems: true }, many)
    refuses({ uniqueItems: true }, [...many, { index: 2999 }])
  })

  it("says nothing where it is false, and of what is no array", () => {
    accepts({ uniqueItems: false }, [1, 1])
    accepts({ uniqueItems: true }, "aa", 11, { a: 1, b: 1 }, null)
  })

  it("says that items are equal", () => {
    explains({ uniqueItems: true }, [1, 1], ["must not have equal items"])
  })

  it("J12: must be a boolean", () => {
    for (const bad of ["true", 1, null, {}]) {
      assert.strictEqual(rejection({ uniqueItems: bad }), "#/uniqueItems: must be a boolean")
    }
  })
})
