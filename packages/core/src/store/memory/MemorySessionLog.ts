/** The entries of sessions in memory, as the runtime itself uses them: nothing is copied and nothing waits. */
import { SessionAppendConflictError } from "../../errors/SessionAppendConflictError.ts"
import { StoreError } from "../../errors/StoreError.ts"
import type { SessionAppendOptions } from "../../ports/SessionStorePort.ts"
import type { SessionEntry } from "../../records/SessionEntry.ts"
import { leafPosition, pathTo } from "../branchPath.ts"

/** A `Map` weighs as much as a few entries do, and a process may hold many short sessions: an index has to pay. */
const SCANNED_ENTRIES = 12

const none: ReadonlyArray<SessionEntry> = []

/** Append-only, one per store. An entry belongs to the log once appended: whoever made it does not change it any more. */
export class MemorySessionLog {
  // The first session has fields of its own: a private store never has another.
  #sessionId: string | undefined = undefined
  #entries: Array<SessionEntry> = []
  #others: Map<string, Array<SessionEntry>> | undefined = undefined
  #size = 0
  #byId: Map<string, SessionEntry> | undefined = undefined
  #written: Set<string> | undefined = undefined

  /** Stores the entry itself. Throws without a change on a repeat, a duplicate id or a parent that the session lacks. */
  append(entry: SessionEntry, options?: SessionAppendOptions): void {
    const { sessionId } = entry
    const key = options?.idempotencyKey
    const parentId = options?.expectedParentId
    const identity = key === undefined ? undefined : JSON.stringify([sessionId, key, parentId ?? null])
    if (identity !== undefined && this.#written?.has(identity) === true) {
      throw this.#conflict(sessionId, parentId, true)
    }
    if (this.get(entry.id) !== undefined) throw new StoreError({ reason: "duplicate_entry", id: entry.id })
    if (parentId !== undefined && !this.#holds(sessionId, parentId)) throw this.#conflict(sessionId, parentId, false)
    this.#add(entry)
    if (identity !== undefined) (this.#written ??= new Set()).add(identity)
  }

  /** The session's entries in the order of their appends: the live list, not to be changed. */
  list(sessionId: string): ReadonlyArray<SessionEntry> {
    return sessionId === this.#sessionId ? this.#entries : (this.#others?.get(sessionId) ?? none)
  }

  get(id: string): SessionEntry | undefined {
    if (this.#byId !== undefined) return this.#byId.get(id)
    const found = this.#entries.find((entry) => entry.id === id)
    if (found !== undefined || this.#others === undefined) return found
    for (const entries of this.#others.values()) {
      const other = entries.find((entry) => entry.id === id)
      if (other !== undefined) return other
    }
    return undefined
  }

  /** The branch of a leaf, root first, in a list of its own; of the newest entry if none is named. */
  read(sessionId: string, leafId?: string): Array<SessionEntry> {
    const entries = this.list(sessionId)
    return pathTo(entries, leafPosition(entries, leafId))
  }

  #holds(sessionId: string, id: string): boolean {
    const entries = this.list(sessionId)
    return entries.at(-1)?.id === id || this.get(id)?.sessionId === sessionId
  }

  #add(entry: SessionEntry): void {
    const { sessionId } = entry
    this.#sessionId ??= sessionId
    if (sessionId === this.#sessionId) {
      this.#entries = grown(this.#entries, entry)
    } else {
      this.#others ??= new Map()
      this.#others.set(sessionId, grown(this.#others.get(sessionId) ?? [], entry))
    }
    this.#size += 1
    if (this.#byId !== undefined) this.#byId.set(entry.id, entry)
    else if (this.#size > SCANNED_ENTRIES) this.#byId = this.#indexed()
  }

  #indexed(): Map<string, SessionEntry> {
    const byId = new Map<string, SessionEntry>()
    for (const entry of this.#entries) byId.set(entry.id, entry)
    for (const entries of this.#others?.values() ?? []) for (const entry of entries) byId.set(entry.id, entry)
    return byId
  }

  #conflict(sessionId: string, parentId: string | undefined, duplicate: boolean): SessionAppendConflictError {
    const currentLeafId = this.list(sessionId).at(-1)?.id
    return new SessionAppendConflictError({
      ...(parentId !== undefined && { expectedParentId: parentId }),
      ...(currentLeafId !== undefined && { currentLeafId }),
      ...(duplicate && { idempotencyDuplicate: true })
    })
  }
}

/** A short list is made anew at its exact length: `push` reserves room for 16 more, most of what a short session weighs. */
const grown = (entries: Array<SessionEntry>, entry: SessionEntry): Array<SessionEntry> => {
  if (entries.length < SCANNED_ENTRIES) return entries.concat([entry])
  entries.push(entry)
  return entries
}
