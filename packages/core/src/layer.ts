/** The layers of the services that hosts rarely replace. */
import * as Layer from "effect/Layer"
import { EventBroadcaster } from "./broadcast/EventBroadcaster.ts"
import { ToolPool } from "./dispatch/ToolPool.ts"
import { SessionStore } from "./store/SessionStore.ts"

/** Live broadcaster and pool, sessions in memory. Provider, tools and policies are the host's to give. */
export const layerDefaults: Layer.Layer<EventBroadcaster | ToolPool | SessionStore> = Layer.mergeAll(
  EventBroadcaster.layer,
  ToolPool.layer,
  SessionStore.layerMemory
)
