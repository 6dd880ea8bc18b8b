import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { behaviours } from "./behaviours.ts"
import { provenIds } from "./verifies.ts"
import { repository } from "./package/imports.ts"

const ids = new Set(behaviours.map(({ id }) => id))

describe("behaviours", () => {
  it("have each id once", () => {
    assert.strictEqual(ids.size, behaviours.length)
  })

  it("have a test that names them, unless they wait for a part", () => {
    const proven = provenIds()
    const unproven = behaviours.filter(({ id, waitsFor }) => waitsFor === undefined && !proven.has(id))
    assert.deepStrictEqual(
      unproven.map(({ behaviour, id }) => `${id}: ${behaviour}`),
      []
    )
  })

  it("wait for a part only while no test proves them", () => {
    const proven = provenIds()
    const early = behaviours.filter(({ id, waitsFor }) => waitsFor !== undefined && proven.has(id))
    assert.deepStrictEqual(
      early.map(({ id }) => id),
      []
    )
  })

  it("are known, where a test names one", () => {
    const unknown = [...provenIds()].filter(([id]) => /^(?:[DTSELRJCM]|CT|CS)\d+a?$/.test(id) && !ids.has(id))
    assert.deepStrictEqual(
      unknown.map(([id, where]) => `${id} in ${where}`),
      []
    )
  })

  it("have a docs page as their source", () => {
    for (const { source } of behaviours) {
      assert.isTrue(existsSync(join(repository, source)), source)
      assert.isAbove(readFileSync(join(repository, source), "utf8").length, 0)
    }
  })
})
