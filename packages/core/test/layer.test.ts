import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { EventBroadcaster } from "../src/broadcast/EventBroadcaster.ts"
import { ToolPool } from "../src/dispatch/ToolPool.ts"
import { layerDefaults } from "../src/layer.ts"
import { SessionStore } from "../src/store/SessionStore.ts"

describe("layerDefaults", () => {
  it.effect("has a live broadcaster and pool, and a store in memory of its own each time", () =>
    Effect.gen(function* () {
      const services = Effect.all([EventBroadcaster, ToolPool, SessionStore])
      const [broadcaster, pool, store] = yield* services.pipe(Effect.provide(layerDefaults))
      const [, , other] = yield* services.pipe(Effect.provide(layerDefaults))
      assert.strictEqual(broadcaster, EventBroadcaster.live)
      assert.strictEqual(pool, ToolPool.live)
      assert.notStrictEqual(store, other)
    })
  )
})
