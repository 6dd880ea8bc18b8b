import { assert, describe, it } from "@effect/vitest"
import { isAgentLoopOptions, resolveLoop } from "../../src/loop/resolveLoop.ts"
import { singleShotLoop } from "../../src/loop/singleShot.ts"
import type { AgentLoopStrategy } from "../../src/ports/LoopStrategy.ts"
import { eventsOf, failure, run, scripted, storedGist, text, typesOf, untyped } from "../run/runs.ts"

const custom = (name: string): AgentLoopStrategy => ({ name, run: () => undefined })
const notALoop = "loop must be options with a strategy, or have a run function"

describe("resolveLoop", () => {
  it("L2: throws for a strategy that is not known, and for what is no loop", () => {
    assert.throws(
      () => resolveLoop({ loop: untyped({ strategy: "nope" }) }, {}),
      Error,
      "Unknown agent loop strategy: nope"
    )
    for (const garbage of ["single-shot", 7, {}, { run: "fast" }]) {
      assert.throws(() => resolveLoop({ loop: untyped(garbage) }, {}), TypeError, notALoop)
    }
  })

  it("L1: the run's loop wins over the agent's; neither is the single-shot loop itself", () => {
    const [ofRun, ofAgent] = [custom("run"), custom("agent")]
    assert.strictEqual(resolveLoop({ loop: ofRun }, { loop: ofAgent }), ofRun)
    assert.strictEqual(resolveLoop({}, { loop: ofAgent }), ofAgent)
    assert.strictEqual(resolveLoop({}, {}), singleShotLoop)
    assert.strictEqual(resolveLoop({ loop: { strategy: "single-shot", toolConcurrency: 4 } }, {}), singleShotLoop)
  })

  it("L3: what has a strategy is options, also if it has a run; what has run is used as it is", () => {
    assert.isTrue(isAgentLoopOptions({ strategy: "single-shot" }))
    assert.isFalse(isAgentLoopOptions(custom("c")))
    assert.strictEqual(resolveLoop({ loop: untyped({ ...custom("c"), strategy: "single-shot" }) }, {}), singleShotLoop)
  })
})

describe("the loop of a run", () => {
  it("L2: an unknown strategy fails the run before its first turn; the input is stored, and the session goes on", async () => {
    const { provider, session } = scripted([[text("a")]])
    const events = await eventsOf(session, "hi", { loop: untyped({ strategy: "nope" }) })
    assert.deepStrictEqual(typesOf(events), ["agent_started", "error"])
    const error = await failure(run(session, "again", { loop: untyped({ strategy: "nope" }) }))
    assert.strictEqual(error.message, "Unknown agent loop strategy: nope")
    assert.deepStrictEqual([provider.requests.length, await storedGist(session)], [0, ["user: hi", "user: again"]])
    assert.strictEqual((await run(session)).text, "a")
  })

  it("L4: is resolved once per run, behind the setup", async () => {
    let read = 0
    const { session } = scripted([[text("a")]])
    const options = {
      get loop() {
        read += 1
        return custom("c")
      }
    }
    await run(session, "hi", options)
    const ofOneRun = read
    await run(session, "hi", options)
    assert.strictEqual(read, 2 * ofOneRun)
    const ran: Array<string> = []
    const twice: AgentLoopStrategy = { name: "t", run: () => void ran.push("t") }
    await run(session, "hi", { loop: twice })
    assert.deepStrictEqual(ran, ["t"])
  })
})
