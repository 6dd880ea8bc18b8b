import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { createMockProvider } from "../../src/provider/MockProvider.ts"
import { makeAgent } from "../../src/agent/Agent.ts"
import { keepShapes } from "../../src/session/keepShapes.ts"
import { openSession } from "../../src/session/openSession.ts"

describe("keepShapes", () => {
  it("tells nobody of its runs and changes no other", async () => {
    const seen: Array<string> = []
    const session = openSession(makeAgent({ model: { provider: "p", model: "m" }, provider: createMockProvider() }))
    const reading = (async () => {
      for await (const event of session.subscribe()) seen.push(event.type)
    })()
    keepShapes()
    await new Promise((resolve) => session.start("Hi", {}, resolve))
    await reading
    assert.deepStrictEqual([seen[0], seen.at(-1)], ["agent_started", "agent_finished"])
  })

  it("lets a process end that has nothing else to do", () => {
    const code = `
      import { makeAgent, openSession } from "@arnilo/prism-core"
      openSession(makeAgent({ model: { provider: "p", model: "m" } }))
      process.on("exit", (status) => console.log("ended", status))`
    const args = ["-C", "@arnilo/source", "--input-type=module", "-e", code]
    assert.strictEqual(
      execFileSync(process.execPath, args, { cwd: import.meta.dirname, timeout: 20_000 }).toString(),
      "ended 0\n"
    )
  })
})
