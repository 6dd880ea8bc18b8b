import { createSecretRedactor } from "@arnilo/prism-core"
import { assert, describe, it } from "@effect/vitest"
import { type ClientProgress, relayToClient } from "../../src/server/relayToClient.ts"

const tell = (told: unknown, redactor?: Parameters<typeof relayToClient>[1]): ClientProgress => {
  const sent: Array<ClientProgress> = []
  relayToClient((progress) => sent.push(progress), redactor)(told)
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
})
