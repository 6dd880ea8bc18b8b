import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { SessionStorePort } from "../../src/ports/SessionStorePort.ts"
import type { SessionEntry } from "../../src/records/SessionEntry.ts"
import { MemorySessionLog } from "../../src/store/memory/MemorySessionLog.ts"
import { createMemorySessionStore, memorySessionLog } from "../../src/store/memory/MemorySessionStore.ts"
import { sessionLog, SessionStore } from "../../src/store/SessionStore.ts"

const entry: SessionEntry = { id: "a", sessionId: "s", timestamp: "t", kind: "label", label: "l" }

describe("SessionStore", () => {
  it.effect("P13: the memory layer is a store of its own, made with the layer", () =>
    Effect.gen(function* () {
      const one = yield* SessionStore.pipe(Effect.provide(SessionStore.layerMemory))
      const two = yield* SessionStore.pipe(Effect.provide(SessionStore.layerMemory))
      yield* Effect.promise(() => Promise.resolve(one.append(entry) as Promise<void>))
      assert.deepEqual(yield* Effect.promise(() => one.list("s") as Promise<unknown>), [entry])
      assert.deepEqual(yield* Effect.promise(() => two.list("s") as Promise<unknown>), [])
    })
  )

  it.effect("P18: any port is a store, whatever its answers are", () =>
    Effect.gen(function* () {
      const port: SessionStorePort = { append: () => Effect.void, list: () => [entry] }
      assert.strictEqual(yield* SessionStore.pipe(Effect.provide(SessionStore.layer(port))), port)
    })
  )

  it("P12: the log of a session is a private one, that of a store in memory, or the store itself", () => {
    const store = createMemorySessionStore()
    const wrapper: SessionStorePort = { ...store }
    assert.instanceOf(sessionLog(undefined), MemorySessionLog)
    assert.strictEqual(sessionLog(store), memorySessionLog(store))
    assert.strictEqual(sessionLog(wrapper), wrapper)
  })
})
