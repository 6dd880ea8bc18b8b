import { assert, describe, it } from "@effect/vitest"
import type { Subject } from "../Subject.ts"
import { bare } from "./bare.ts"
import { prism } from "./prism.ts"

const subjects: ReadonlyArray<readonly [string, Subject]> = [
  ["bare", bare],
  ["prism", prism]
]

describe.each(subjects)("%s does the work that is compared:", (_name, subject) => {
  it("the text of a turn, from its result and from its deltas", async () => {
    assert.strictEqual(await subject.textTurn()(), "tok ".repeat(20))
    assert.strictEqual(await subject.textStream()(), "tok ".repeat(20))
  })

  it("every tool round, with the arguments that the model gave", async () => {
    const calls: Array<unknown> = []
    await subject.toolRounds(5, (args) => {
      calls.push(args)
      return "ok"
    })()
    assert.deepStrictEqual(
      calls,
      Array.from({ length: 5 }, () => ({ path: "src/a.ts", limit: 10 }))
    )
  })

  it("a batch of calls, as many at once as allowed and no more", async () => {
    let active = 0
    let peak = 0
    let executed = 0
    await subject.toolBatch(20, 3, async () => {
      active += 1
      peak = Math.max(peak, active)
      await Promise.resolve()
      active -= 1
      executed += 1
      return "ok"
    })()
    assert.deepStrictEqual({ executed, peak }, { executed: 20, peak: 3 })
  })

  it("every delta to every subscriber", async () => {
    assert.strictEqual(await subject.fanOut(500, 3)(), 1500)
  })

  it("one more turn of a session that remembers", async () => {
    const turn = subject.longSession(20)
    assert.strictEqual(await turn(), 21)
    assert.strictEqual(await turn(), 23)
  })
})
