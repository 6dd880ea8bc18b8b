import { assert, describe, it } from "@effect/vitest"
import { parseOptions } from "./options.ts"

const parse = (...args: ReadonlyArray<string>) => parseOptions(args, ["B1", "B4", "B4M"])

describe("parseOptions", () => {
  it("refuses a bench that does not exist and names those that do", () => {
    assert.throws(() => parse("--only", "B1,B9"), "no bench B9: there are B1, B4, B4M")
  })

  it("refuses rounds that are no positive integer", () => {
    for (const rounds of ["0", "1.5", "many"]) {
      assert.throws(() => parse("--rounds", rounds), `--rounds must be a positive integer, got ${rounds}`)
    }
  })

  it("refuses an unknown flag and a stray word", () => {
    assert.throws(() => parse("--fast"))
    assert.throws(() => parse("B1"))
  })

  it("measures everything unless told otherwise", () => {
    assert.deepStrictEqual(parse(), { only: [], rounds: undefined, quick: false, json: false })
  })

  it("reads every flag, and ids in any case", () => {
    assert.deepStrictEqual(parse("--only", "b1, B4m", "--rounds", "3", "--quick", "--json"), {
      only: ["B1", "B4M"],
      rounds: 3,
      quick: true,
      json: true
    })
  })
})
