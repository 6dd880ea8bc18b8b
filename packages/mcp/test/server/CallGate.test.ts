import { assert, describe, it } from "@effect/vitest"
import { CallGate } from "../../src/server/CallGate.ts"

const never = (): Promise<void> => new Promise(() => undefined)

/** Calls that end when they are told to; `begun` has their names in the order in which they began. */
const calls = (gate: CallGate) => {
  const begun: Array<string> = []
  const ends = new Map<string, () => void>()
  const run = (
    name: string,
    { isExclusive = false, signal = new AbortController().signal, whenIdle = never } = {}
  ): Promise<string> =>
    gate.run(
      () => {
        begun.push(name)
        return new Promise((resolve) => ends.set(name, () => resolve(name)))
      },
      { isExclusive, signal, whenIdle }
    )
  return { begun, run, end: (name: string) => ends.get(name)?.() }
}

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe("CallGate", () => {
  it("lets nobody overtake an exclusive call that waits", async () => {
    const { begun, end, run } = calls(new CallGate(2, 10))
    void run("first")
    void run("alone", { isExclusive: true })
    void run("third")
    await settled()
    assert.deepStrictEqual(begun, ["first"])
    end("first")
    await settled()
    assert.deepStrictEqual(begun, ["first", "alone"])
    end("alone")
    await settled()
    assert.deepStrictEqual(begun, ["first", "alone", "third"])
  })

  it("lets those behind a call go on when it gives up, and loses no place by it", async () => {
    const { begun, end, run } = calls(new CallGate(2, 10))
    const stop = new AbortController()
    void run("first")
    const alone = run("alone", { isExclusive: true, signal: stop.signal }).catch((error: unknown) => error)
    void run("third")
    stop.abort("enough")
    assert.strictEqual(await alone, "enough")
    await settled()
    assert.deepStrictEqual(begun, ["first", "third"])
    end("first")
    end("third")
    void run("last", { isExclusive: true })
    await settled()
    assert.deepStrictEqual(begun, ["first", "third", "last"])
  })

  it("frees the place of a call that was given up once it is idle, and once only", async () => {
    const { begun, end, run } = calls(new CallGate(1, 10))
    const stop = new AbortController()
    let idle: () => void = () => undefined
    const whenIdle = (): Promise<void> => new Promise((resolve) => (idle = resolve))
    const first = run("first", { signal: stop.signal, whenIdle }).catch((error: unknown) => error)
    await settled()
    void run("second")
    void run("third")
    stop.abort("enough")
    assert.strictEqual(await first, "enough")
    await settled()
    assert.deepStrictEqual(begun, ["first"])
    idle()
    await settled()
    assert.deepStrictEqual(begun, ["first", "second"])
    end("first")
    await settled()
    assert.deepStrictEqual(begun, ["first", "second"])
  })
})
