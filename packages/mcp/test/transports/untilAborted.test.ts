import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { untilAborted } from "../../src/transports/untilAborted.ts"
import { rejection } from "../fixtures/rejection.ts"

describe("untilAborted", () => {
  it("M5: rejects with the reason of a signal, and leaves no rejection that nobody hears of", async () => {
    const unheard: Array<unknown> = []
    const onUnheard = (error: unknown): void => void unheard.push(error)
    process.on("unhandledRejection", onUnheard)
    const reason = new Error("stop")
    const given = Promise.reject(new Error("late"))
    assert.strictEqual(await rejection(untilAborted(given, AbortSignal.abort(reason))), reason)
    await setImmediate()
    process.off("unhandledRejection", onUnheard)
    assert.deepStrictEqual(unheard, [])
  })
})
