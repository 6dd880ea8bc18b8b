import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { StreamPauses } from "../../src/transports/StreamPauses.ts"

describe("StreamPauses", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each([
    [0, 250],
    [1_000, 1_000],
    [2 ** 40, 30_000]
  ])("waits %i ms within its bounds", (asked, waited) => {
    let isResumed = false
    new StreamPauses().schedule(() => (isResumed = true), asked)
    vi.advanceTimersByTime(waited - 1)
    assert.isFalse(isResumed)
    vi.advanceTimersByTime(1)
    assert.isTrue(isResumed)
  })

  it("ends all of them, and takes no other then", () => {
    const pauses = new StreamPauses()
    pauses.schedule(() => assert.fail("resumed"), 0)
    pauses.schedule(() => assert.fail("resumed"), 500)
    pauses.close()
    pauses.schedule(() => assert.fail("resumed"), 0)
    assert.strictEqual(vi.getTimerCount(), 0)
    vi.advanceTimersByTime(60_000)
  })
})
