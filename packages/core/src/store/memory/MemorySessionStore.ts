/** A session store in memory. */
import { StoreError } from "../../errors/StoreError.ts"
import type {
  BranchPathQuery,
  PersistencePage,
  SessionAppendOptions,
  SessionStorePort
} from "../../ports/SessionStorePort.ts"
import { drivePromise, unstoppable, type Steps } from "../../ports/Steps.ts"
import type { SessionEntry } from "../../records/SessionEntry.ts"
import { copyEntries, copyEntry } from "../copyEntry.ts"
import { MemorySessionLog } from "./MemorySessionLog.ts"

/** A `SessionStorePort` of which every operation is there and answers with a Promise. */
export interface MemorySessionStore extends SessionStorePort {
  append(entry: SessionEntry, options?: SessionAppendOptions): Promise<void>
  list(sessionId: string): Promise<ReadonlyArray<SessionEntry>>
  get(id: string): Promise<SessionEntry | undefined>
  readBranchPath(query: BranchPathQuery): Promise<PersistencePage<SessionEntry>>
}

/** By store, and not a property of it: a host that wraps a store by spreading it must be called, not passed by. */
const logs = new WeakMap<SessionStorePort, MemorySessionLog>()

/** The log behind a store that `createMemorySessionStore` made. The runtime appends to it and reads it without copies. */
export const memorySessionLog = (store: SessionStorePort): MemorySessionLog | undefined => logs.get(store)

/** A cursor names its leaf, so that an append between two pages does not move the branch that is being read. */
const cursorOf = (at: number, leafId: string): string => `${at}:${leafId}`

const readCursor = (cursor: string): { readonly at: number; readonly leafId: string } => {
  const [, at, leafId] = /^(\d{1,15}):(.+)$/s.exec(cursor) ?? []
  if (at === undefined || leafId === undefined) throw new StoreError({ reason: "invalid_cursor", id: cursor })
  return { at: Number(at), leafId }
}

const readPage = (log: MemorySessionLog, query: BranchPathQuery): PersistencePage<SessionEntry> => {
  const { cursor, limit, sessionId } = query
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
    throw new StoreError({ reason: "invalid_limit", id: String(limit) })
  }
  const from = cursor === undefined ? { at: 0, leafId: query.leafId } : readCursor(cursor)
  const path = log.read(sessionId, from.leafId)
  const to = limit === undefined ? path.length : from.at + limit
  const items = copyEntries(path.slice(from.at, to))
  const leafId = path.at(-1)?.id
  if (leafId === undefined || to >= path.length) return { items, total: path.length }
  return { items, nextCursor: cursorOf(to, leafId), total: path.length }
}

/**
 * A store that forgets with the process. It copies what is handed in and what is read out; the initial entries are appended
 * in their order. Ids are unique across all its sessions.
 */
export const createMemorySessionStore = (initialEntries: ReadonlyArray<SessionEntry> = []): MemorySessionStore => {
  const log = new MemorySessionLog()
  for (const entry of initialEntries) log.append(copyEntry(entry))
  const store: MemorySessionStore = {
    append: (entry, options) => answer(() => log.append(copyEntry(entry), options)),
    list: (sessionId) => answer(() => copyEntries(log.list(sessionId))),
    get: (id) =>
      answer(() => {
        const entry = log.get(id)
        return entry === undefined ? undefined : copyEntry(entry)
      }),
    readBranchPath: (query) => answer(() => readPage(log, query))
  }
  logs.set(store, log)
  return store
}

// oxlint-disable-next-line require-yield
function* atOnce<A>(operation: () => A): Steps<A> {
  return operation()
}

/** What an operation that never waits comes to: its throw is a rejection. */
const answer = <A>(operation: () => A): Promise<A> => drivePromise(atOnce(operation), unstoppable)
