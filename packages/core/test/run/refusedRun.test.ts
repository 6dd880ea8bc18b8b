import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { RunOptions } from "../../src/ports/AgentPort.ts"
import type { AgentInput } from "../../src/ports/Input.ts"
import { toPromise } from "../../src/ports/toPromise.ts"
import type { Message } from "../../src/schema/Message.ts"
import {
  collect,
  failure,
  messageOf,
  model,
  recordingLedger,
  rejection,
  run,
  scripted,
  sessionOver,
  storedGist,
  text,
  typesOf,
  untyped,
  user
} from "./runs.ts"

const done = { type: "done" } as const

describe("a run that is not begun", () => {
  it("S8: rejects a bad number of tool rounds before anything happens", async () => {
    const { provider, session } = scripted([[text("a")]])
    const seen: Array<unknown> = []
    const events = session.subscribe({ until: "closed" })
    void events.next().then((step) => seen.push(step))
    const bad: ReadonlyArray<RunOptions> = [
      { limits: { maxToolRounds: 0 } },
      { limits: { maxToolRounds: 65 } },
      { limits: { maxToolRounds: 1.5 } },
      { maxToolRounds: -1 },
      { maxToolRounds: 65 },
      { maxToolRounds: untyped("2") }
    ]
    for (const options of bad) {
      const error = await rejection(run(session, "hi", options))
      assert.instanceOf(error, TypeError)
      assert.strictEqual(error.message, "maxToolRounds must be a positive safe integer at most 64")
    }
    assert.deepStrictEqual([seen, provider.requests.length, await storedGist(session)], [[], 0, []])
    assert.strictEqual((await run(session)).text, "a")
  })

  it("S8: a bad number of the agent's own rejects with its run", async () => {
    const { session } = scripted([[text("a")]], { limits: { maxToolRounds: 100 } })
    assert.strictEqual(await messageOf(run(session)), "maxToolRounds must be a positive safe integer at most 64")
  })

  it("S5: rejects input that is neither text nor messages, and says where", async () => {
    const { provider, session } = scripted([[text("a")]])
    const bad: ReadonlyArray<readonly [unknown, string]> = [
      [undefined, "input must be text or a message, not undefined"],
      [null, "input must be text or a message, not null"],
      [7, "input must be text or a message, not number"],
      [[user("a"), null], "input[1] must be text or a message, not null"],
      [{ role: "robot", content: [] }, "input.role must be system, user, assistant or tool, not robot"],
      [{ role: "user", content: "hi" }, "input.content must be an array of content blocks"],
      [[{ role: "user", content: ["hi"] }], "input[0].content[0] must be a content block"]
    ]
    for (const [input, message] of bad) {
      const error = await rejection(toPromise(Effect.runPromiseExit, session.run(untyped<AgentInput>(input))))
      assert.instanceOf(error, TypeError)
      assert.strictEqual(error.message, message)
    }
    assert.lengthOf(provider.requests, 0)
    assert.strictEqual((await run(session)).text, "a")
  })

  it("S13: refuses a signal or model that is none, and does not keep the session for it", async () => {
    const { session } = scripted([[text("a")]])
    assert.strictEqual(await messageOf(run(session, "hi", { signal: untyped({}) })), "signal must be an AbortSignal")
    assert.strictEqual(await messageOf(run(session, "hi", { signal: untyped(null) })), "signal must be an AbortSignal")
    assert.strictEqual(
      await messageOf(run(session, "hi", { model: untyped({ provider: "mock" }) })),
      "model must name a provider and a model"
    )
    assert.strictEqual((await run(session)).text, "a")
  })

  it("S1: a second run is refused and told under an id of its own, and the first one goes on", async () => {
    const { session } = scripted([[text("a"), done]])
    const seen = collect(session.subscribe())
    const first = run(session)
    const error = await failure(run(session))
    assert.strictEqual(error.message, "Agent session already has an active run")
    assert.deepStrictEqual(
      [error.result.status, error.result.text, error.result.error?.code],
      ["failed", "", "ERR_PRISM_SESSION_BUSY"]
    )
    const { runId, text: said } = await first
    const events = await seen
    assert.strictEqual(said, "a")
    assert.notStrictEqual(error.result.runId, runId)
    assert.deepStrictEqual(
      events.filter((event) => "runId" in event && event.runId !== runId),
      [
        {
          type: "error",
          sessionId: session.id,
          runId: error.result.runId,
          error: { message: "Agent session already has an active run", code: "ERR_PRISM_SESSION_BUSY" }
        }
      ]
    )
    assert.strictEqual(events.at(-1)?.type, "agent_finished")
  })

  it("S3: without a provider it fails before it starts: one error event, nothing stored, no ledger row of a run", async () => {
    const { ledger, rows } = recordingLedger()
    const session = sessionOver(() => undefined, {
      provider: undefined,
      runLedger: ledger,
      providerSource: () => undefined
    })
    const seen = collect(session.subscribe())
    const error = await failure(run(session, "hi", { providerSource: () => undefined }))
    assert.strictEqual(error.message, "Unknown provider: mock")
    assert.deepStrictEqual(typesOf(await seen), ["error"])
    assert.deepStrictEqual([await storedGist(session), rows.runs], [[], []])
  })

  it("S3: a provider that is none fails the run and says which", async () => {
    const session = sessionOver(() => undefined, { provider: undefined, providerSource: () => untyped({ id: "x" }) })
    assert.strictEqual(await messageOf(run(session)), "Provider of mock/m must have an id and a generate function")
    const throwing = sessionOver(() => undefined, {
      provider: undefined,
      providerSource: () => {
        throw new Error("no registry")
      }
    })
    assert.strictEqual((await failure(run(throwing))).message, "no registry")
    assert.strictEqual((await failure(run(throwing))).message, "no registry")
  })

  it("D20: native structured output on a model without it fails before the first turn, and nothing is stored", async () => {
    const { provider, session } = scripted([[text("a")]])
    const structuredOutput = { name: "answer", schema: {} }
    const seen = collect(session.subscribe())
    const error = await failure(run(session, "hi", { providerOptions: { structuredOutput } }))
    assert.deepStrictEqual(
      [error.result.error?.name, error.result.error?.code],
      ["StructuredOutputError", "unsupported_model"]
    )
    assert.deepStrictEqual(typesOf(await seen), ["agent_started", "error"])
    assert.deepStrictEqual([provider.requests.length, await storedGist(session)], [0, []])
    const capable = { ...model, capabilities: { structuredOutput: true } }
    await run(session, "hi", { model: capable, providerOptions: { structuredOutput } })
    assert.deepStrictEqual(provider.requests[0]?.options?.structuredOutput, structuredOutput)
  })

  it("D19: media that the model does not take fails before generation", async () => {
    const { provider, session } = scripted([[text("a")]], { model: { ...model, capabilities: { input: ["text"] } } })
    const image: Message = { role: "user", content: [{ type: "image", url: "x" }] }
    const error = await failure(run(session, image))
    assert.strictEqual(error.result.error?.name, "UnsupportedModalityError")
    assert.lengthOf(provider.requests, 0)
  })

  it("S48: an unknown skill, or one whose tool is missing, fails before the first provider turn", async () => {
    const needs = { name: "s", toolNames: ["gone"] }
    const { provider, session } = scripted([[text("a")]], { skills: [needs] })
    assert.strictEqual(await messageOf(run(session)), "Skill s requires inactive tool: gone")
    assert.strictEqual(
      await messageOf(run(session, "hi", { skills: [], activeSkills: ["nope"] })),
      "Unknown skill: nope"
    )
    assert.lengthOf(provider.requests, 0)
    await run(session, "hi", { skills: [] })
  })
})
