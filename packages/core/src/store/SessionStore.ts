/** Where sessions outlive their runs. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { SessionStorePort } from "../ports/SessionStorePort.ts"
import { createMemorySessionStore, memorySessionLog } from "./memory/MemorySessionStore.ts"
import { MemorySessionLog } from "./memory/MemorySessionLog.ts"

/** The store of a host. Any `SessionStorePort` is one: its answers may be values, Promises or Effects. */
export class SessionStore extends Context.Service<SessionStore, SessionStorePort>()(
  "@arnilo/prism-core/store/SessionStore"
) {
  static readonly layer = (port: SessionStorePort) => Layer.succeed(SessionStore, port)
  /** Forgets with the layer. */
  static readonly layerMemory = Layer.sync(SessionStore, () => createMemorySessionStore())
}

/** What the runtime appends to and reads: a host's store, or a log in memory that it need not copy for. */
export type SessionLog = SessionStorePort | MemorySessionLog

/** The log of a session: of its store, or a private one in memory. */
export const sessionLog = (store: SessionStorePort | undefined): SessionLog =>
  store === undefined ? new MemorySessionLog() : (memorySessionLog(store) ?? store)
