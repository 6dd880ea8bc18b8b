import { ApprovalGate, type ApprovalRequest } from "@arnilo/prism-core"
import { connectMcpTools, type ConnectMcpToolsOptions } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./fixtures/peer.ts"
import { eventually, stdioServer } from "./fixtures/stdio.ts"

const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
const question = { method: "elicitation/create", params: { message: "Who are you?", requestedSchema } }
const generation = {
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 10 }
}

/** What the server is told when it asks, and what it was promised. */
const askHost = async (asked: object, options: Partial<ConnectMcpToolsOptions> = {}): Promise<any> => {
  const bridge = await connectMcpTools({ serverId: "s", transport: stdioServer("ask"), ...options })
  try {
    return JSON.parse((await call(bridge, "echo", asked)).content[0].text)
  } finally {
    await bridge.close()
  }
}

describe("what a server asks of its host", () => {
  it("M30: is promised nothing and declined politely, unless the host hands a handler", async () => {
    assert.deepStrictEqual(await askHost(question), { capabilities: {}, answer: { action: "decline" } })
    const { answer } = await askHost(generation)
    assert.strictEqual(answer.code, -32_601)
    assert.match(answer.message, /does not offer sampling\/createMessage|Method not found/)
  })

  it("M30: a question goes through the approval gate, then to the host, and its answer is checked", async () => {
    const asked: Array<ApprovalRequest> = []
    const approval = (approved: boolean) =>
      ApprovalGate.make({
        prompt: (request) => {
          asked.push(request)
          return approved
        }
      })
    const given = { name: "Ada" }
    const elicit = (approved: boolean, answer?: object) =>
      askHost(question, {
        elicitation: {
          approval: approval(approved),
          ...(answer !== undefined && { answer: () => Effect.succeed(answer as never) })
        }
      }).then((told) => told.answer)

    assert.deepStrictEqual(await elicit(true, given), { action: "accept", content: given })
    assert.deepStrictEqual(asked, [
      {
        title: "MCP server s asks for information",
        detail: "Who are you?",
        metadata: { mcp: { serverId: "s", requestedSchema } }
      }
    ])
    assert.deepStrictEqual(await elicit(false, given), { action: "decline" })
    assert.deepStrictEqual(await elicit(true, { name: 7 }), { action: "decline" })
    assert.deepStrictEqual(await elicit(true), { action: "decline" })
  })

  it("M30: one question at a time: a server cannot bury anybody under them", async () => {
    let asked = 0
    let release: ((approved: boolean) => void) | undefined
    const prompt = () => {
      asked++
      return new Promise<boolean>((resolve) => {
        release = resolve
      })
    }
    const bridge = await connectMcpTools({
      serverId: "s",
      transport: stdioServer("ask"),
      elicitation: { approval: ApprovalGate.make({ prompt }), answer: () => ({ name: "Ada" }) }
    })
    const first = call(bridge, "echo", question)
    const others = await Promise.all([call(bridge, "echo", question), call(bridge, "echo", question)])
    for (const { content } of others) assert.deepStrictEqual(JSON.parse(content[0].text).answer, { action: "decline" })
    release?.(true)
    assert.strictEqual(JSON.parse((await first).content[0].text).answer.action, "accept")
    assert.strictEqual(asked, 1)
    await bridge.close()
  })

  it("M30: four samplings at once: a server cannot spend without bound", async () => {
    let running = 0
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const bridge = await connectMcpTools({
      serverId: "s",
      transport: stdioServer("ask"),
      sampling: async () => {
        running++
        await held
        return { model: "m", role: "assistant", content: { type: "text", text: "Hello" } }
      }
    })
    const asked = Array.from({ length: 4 }, () => call(bridge, "echo", generation))
    await eventually(() => running === 4)
    const over = JSON.parse((await call(bridge, "echo", generation)).content[0].text)
    assert.include(over.answer.message, "More than 4 samplings at once")
    release()
    for (const { content } of await Promise.all(asked))
      assert.strictEqual(JSON.parse(content[0].text).answer.model, "m")
    assert.strictEqual(running, 4)
    await bridge.close()
  })

  it("M30: a handler of sampling gets the request and gives its result", async () => {
    const result = { model: "m", role: "assistant", content: { type: "text", text: "Hello" } }
    const { answer, capabilities } = await askHost(generation, {
      sampling: (params, { serverId }) => {
        assert.strictEqual(serverId, "s")
        assert.strictEqual(params["maxTokens"], 10)
        return Promise.resolve(result)
      }
    })
    assert.deepStrictEqual(answer, result)
    assert.deepStrictEqual(capabilities, { sampling: {} })
    const failed = await askHost(generation, { sampling: () => Promise.reject(new Error("no model")) })
    assert.include(failed.answer.message, "no model")
  })
})
