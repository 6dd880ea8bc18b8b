import { createSecretRedactor } from "@arnilo/prism-core"
import { assert, describe, it } from "@effect/vitest"
import { type ClientProgress, relayToClient } from "../../src/server/relayToClient.ts"

const collect = (redactor?: Parameters<typeof relayToClient>[1]) => {
  const sent: Array<ClientProgress> = []
  let written: () => void = () => undefined
  const send = (progress: ClientProgress): Promise<void> => {
    sent.push(progress)
    return new Promise((resolve) => {
      written = resolve
    })
  }
  const relay = relayToClient(send, redactor)
  const settle = async (): Promise<void> => {
    written()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { relay, sent, settle }
}

const tell = (told: unknown, redactor?: Parameters<typeof relayToClient>[1]): ClientProgress => {
  const { relay, sent } = collect(redactor)
  relay.tell(told)
  return sent[0] ?? assert.fail("nothing was sent")
}

describe("relayToClient", () => {
  it("tells no secret, and no more text than is kept of a remote", () => {
    const redactor = createSecretRedactor(["sk-secret-123456"])
    const { message = "" } = tell({ progress: 1, message: "the key is sk-secret-123456" }, redactor)
    assert.include(message, "the key is")
    assert.notInclude(message, "sk-secret")
    assert.strictEqual(tell({ message: "x".repeat(300_000) }).message?.length, 8_192)
  })

  it.each([
    ["no number", { progress: Number.NaN, total: Number.POSITIVE_INFINITY }],
    ["no object", "half"],
    ["nothing", undefined],
    [
      "a member that throws",
      {
        get message() {
          throw new Error("unreadable")
        }
      }
    ]
  ])("sends a step, which clients accept, for %s", (_, told) => {
    assert.deepStrictEqual(tell(told), { progress: 1 })
  })

  it("sends no text that a redactor fails on", () => {
    const redactor = {
      redact: () => {
        throw new Error("no")
      }
    }
    assert.deepStrictEqual(tell({ progress: 3, message: "secret" }, redactor), { progress: 1 })
  })

  it("sends numbers that rise, and counts on from them", async () => {
    const { relay, sent, settle } = collect()
    for (const told of [{ progress: 0 }, { progress: 0 }, { progress: 2.5 }, { progress: 1 }, {}, {}]) {
      relay.tell(told)
      await settle()
    }
    assert.deepStrictEqual(
      sent.map(({ progress }) => progress),
      [0, 2.5, 3, 4]
    )
  })

  it("keeps the latest alone while one is on its way, and nothing once it has ended", async () => {
    const { relay, sent, settle } = collect()
    for (let progress = 1; progress <= 1_000; progress++) relay.tell({ progress })
    await settle()
    assert.deepStrictEqual(sent, [{ progress: 1 }, { progress: 1_000 }])
    relay.tell({ progress: 1_001 })
    relay.end()
    await settle()
    relay.tell({ progress: 1_002 })
    assert.strictEqual(sent.length, 2)
  })

  it("sends so much in all to whoever takes it at once, and goes on after one that could not be sent", async () => {
    let bytes = 0
    const { tell: told } = relayToClient((progress) => {
      bytes += JSON.stringify(progress).length
      return Promise.reject(new Error("gone"))
    }, undefined)
    for (let progress = 1; progress <= 1_000; progress++) {
      told({ progress, message: "x".repeat(8_192) })
      await Promise.resolve()
      await Promise.resolve()
    }
    assert.isAbove(bytes, 1_000_000)
    assert.isAtMost(bytes, 4_194_304)
  })
})
