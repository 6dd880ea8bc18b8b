import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { type AgentConfig, createAgent, createMockProvider } from "@arnilo/prism"

const model = { provider: "mock", model: "m" }
// What a host writes that knows no types.
const untyped = (config: unknown) => config as AgentConfig

describe("createAgent", () => {
  it("refuses a config that cannot work, before anything happens", () => {
    const bad: ReadonlyArray<readonly [unknown, string]> = [
      [{}, "model must name a provider and a model"],
      [{ model, store: {} }, "store must have the function append, list"],
      [{ model, limits: { maxTurns: -1 } }, "maxTurns must be a positive safe integer at most 10000"],
      [{ model, retry: { maxAttempts: 0 } }, "retry.maxAttempts must be a positive safe integer at most 100, not 0"]
    ]
    for (const [config, message] of bad) assert.throws(() => createAgent(untyped(config)), TypeError, message)
  })

  it("S29: is its config and a maker of sessions, and does nothing else", () => {
    const config = {
      model,
      provider: createMockProvider([], {
        onRequest: () => {
          throw new Error("asked")
        }
      })
    }
    const agent = createAgent(config)
    assert.strictEqual(agent.config, config)
    const [one, other] = [agent.createSession(), agent.createSession({ id: "named" })]
    assert.match(one.id, /^session_/)
    assert.deepStrictEqual([other.id, other.leafId], ["named", undefined])
  })

  it("S2: a run that has settled holds no process: not by the clock that bounded it", async () => {
    const program = `
      import { createAgent, createMockProvider } from "@arnilo/prism"
      const agent = createAgent({
        model: { provider: "mock", model: "m" },
        provider: createMockProvider(),
        limits: { maxWallMs: 600_000 }
      })
      console.log((await agent.createSession().run("hi")).status)
    `
    const args = ["--conditions", "@arnilo/source", "--input-type=module", "--eval", program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, timeout: 4_000 })
    assert.strictEqual(stdout, "succeeded\n")
  })

  it("S32: in a bare process a run that waits to retry ends before the process does", async () => {
    const program = `
      import { createAgent } from "@arnilo/prism"
      let attempts = 0
      const provider = {
        id: "flaky",
        async *generate() {
          attempts += 1
          if (attempts < 3) throw Object.assign(new Error("overloaded"), { code: 503 })
          yield { type: "content_delta", content: { type: "text", text: "after " + attempts } }
        }
      }
      const agent = createAgent({ model: { provider: "flaky", model: "m" }, provider, retry: { baseDelayMs: 20 } })
      console.log((await agent.createSession().run("hi")).text)
    `
    const args = ["--conditions", "@arnilo/source", "--input-type=module", "--eval", program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
    assert.strictEqual(stdout, "after 3\n")
  })
})
