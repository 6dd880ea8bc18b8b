/** Branches of a session, and the conversation that a branch amounts to. */
import { StoreError } from "../errors/StoreError.ts"
import { SessionLimits } from "../limits/SessionLimits.ts"
import type { SessionStorePort } from "../ports/SessionStorePort.ts"
import { drivePromise, unstoppable, waitFor, type Steps } from "../ports/Steps.ts"
import type { SessionEntry } from "../records/SessionEntry.ts"
import type { Message } from "../schema/Message.ts"
import { assertTree, leafPosition, pathTo } from "./branchPath.ts"
import { contextOf } from "./branchContext.ts"
import { copyEntries } from "./copyEntry.ts"
import { MemorySessionLog } from "./memory/MemorySessionLog.ts"
import type { SessionLog } from "./SessionStore.ts"

/** Whatever lists a session's entries or reads one branch of it; `readBranchPath` is preferred. */
export type SessionBranchReader = Partial<Pick<SessionStorePort, "list" | "readBranchPath">>
export interface SessionBranchQuery {
  readonly sessionId: string
  readonly leafId?: string | undefined
}
export interface SessionBranchOptions {
  readonly leafId?: string | undefined
}
export interface SessionBranch {
  readonly leafId: string
  readonly entries: ReadonlyArray<SessionEntry>
}

/** What a branch amounts to. `entries` is the whole branch; `messages` and `summaries` are what compaction left of it. */
export interface SessionContext {
  readonly leafId?: string | undefined
  readonly entries: ReadonlyArray<SessionEntry>
  readonly messages: ReadonlyArray<Message>
  readonly summaries: ReadonlyArray<string>
}

const branchOf = (entries: ReadonlyArray<SessionEntry>, leafId: string | undefined): Array<SessionEntry> => {
  assertTree(entries)
  return pathTo(entries, leafPosition(entries, leafId))
}

function* readPages(reader: SessionBranchReader, query: SessionBranchQuery): Steps<Array<SessionEntry>> {
  const entries: Array<SessionEntry> = []
  let cursor: string | undefined
  for (let page = 0; page < SessionLimits.table.branchPages.default; page++) {
    // Called on the reader: a host's store may be a class.
    const answer = reader.readBranchPath?.({ ...query, ...(cursor !== undefined && { cursor }) })
    const { items, nextCursor } = (yield* waitFor(answer)) ?? { items: [] }
    for (const entry of items) entries.push(entry)
    if (nextCursor === undefined) return entries
    cursor = nextCursor
  }
  throw new StoreError({ reason: "too_many_pages", id: query.sessionId })
}

/** Pages hold one branch, in any order: the entry that is nobody's parent is its leaf. */
const soleTip = (entries: ReadonlyArray<SessionEntry>): string | undefined => {
  const tips = tipsOf(entries)
  return tips.length === 1 ? tips[0]?.id : undefined
}

const tipsOf = (entries: ReadonlyArray<SessionEntry>): Array<SessionEntry> => {
  const parents = new Set(entries.map(({ parentId }) => parentId))
  return entries.filter(({ id }) => !parents.has(id))
}

/** The branch of a leaf, root first, as the log or store gave it: not to be changed. */
export function* readBranchSteps(
  reader: SessionLog | SessionBranchReader,
  query: SessionBranchQuery
): Steps<ReadonlyArray<SessionEntry>> {
  if (reader instanceof MemorySessionLog) return reader.read(query.sessionId, query.leafId)
  if (reader.readBranchPath !== undefined) {
    const entries = yield* readPages(reader, query)
    return branchOf(entries, query.leafId ?? soleTip(entries))
  }
  return branchOf((yield* waitFor(reader.list?.(query.sessionId))) ?? [], query.leafId)
}

const isEntries = (source: ReadonlyArray<SessionEntry> | SessionBranchReader): source is ReadonlyArray<SessionEntry> =>
  Array.isArray(source)

function* copiedBranch(reader: SessionBranchReader, query: SessionBranchQuery): Steps<ReadonlyArray<SessionEntry>> {
  return copyEntries(yield* readBranchSteps(reader, query))
}

function* rebuilt(reader: SessionBranchReader, query: SessionBranchQuery): Steps<SessionContext> {
  return sessionContext(yield* copiedBranch(reader, query))
}

const sessionContext = (entries: ReadonlyArray<SessionEntry>): SessionContext => {
  const leafId = entries.at(-1)?.id
  return { ...(leafId !== undefined && { leafId }), entries, ...contextOf(entries) }
}

/**
 * The branch of a leaf, root first: at once from a list of entries, as a Promise from a store. Without a leaf, that of the
 * last entry. Copies; fails on an unknown leaf, an id listed twice, a parent that is not listed and more than 64 pages.
 */
export function getSessionBranchEntries(
  entries: ReadonlyArray<SessionEntry>,
  options?: SessionBranchOptions
): ReadonlyArray<SessionEntry>
export function getSessionBranchEntries(
  reader: SessionBranchReader,
  query: SessionBranchQuery
): Promise<ReadonlyArray<SessionEntry>>
export function getSessionBranchEntries(
  source: ReadonlyArray<SessionEntry> | SessionBranchReader,
  query: SessionBranchOptions = {}
): ReadonlyArray<SessionEntry> | Promise<ReadonlyArray<SessionEntry>> {
  if (isEntries(source)) return copyEntries(branchOf(source, query.leafId))
  // The overload for readers has a complete query.
  return drivePromise(copiedBranch(source, query as SessionBranchQuery), unstoppable)
}

/** One branch per entry that is nobody's parent, in the order of the list. Copies; fails as `getSessionBranchEntries` does. */
export const listSessionBranches = (entries: ReadonlyArray<SessionEntry>): ReadonlyArray<SessionBranch> => {
  assertTree(entries)
  return tipsOf(entries).map(({ id }) => ({
    leafId: id,
    entries: copyEntries(pathTo(entries, leafPosition(entries, id)))
  }))
}

/**
 * The conversation of a branch. After a compaction that is its summary, the messages behind the compacted part and those it
 * kept. Reads and fails as `getSessionBranchEntries` does; copies.
 */
export function rebuildSessionContext(
  entries: ReadonlyArray<SessionEntry>,
  options?: SessionBranchOptions
): SessionContext
export function rebuildSessionContext(reader: SessionBranchReader, query: SessionBranchQuery): Promise<SessionContext>
export function rebuildSessionContext(
  source: ReadonlyArray<SessionEntry> | SessionBranchReader,
  query: SessionBranchOptions = {}
): SessionContext | Promise<SessionContext> {
  if (isEntries(source)) return sessionContext(getSessionBranchEntries(source, query))
  // As in `getSessionBranchEntries`.
  return drivePromise(rebuilt(source, query as SessionBranchQuery), unstoppable)
}
