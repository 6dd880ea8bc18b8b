/** From a leaf up to the root. */
import { StoreError } from "../errors/StoreError.ts"
import type { SessionEntry } from "../records/SessionEntry.ts"

const positions = (entries: ReadonlyArray<SessionEntry>): Map<string, number> => {
  const byId = new Map<string, number>()
  for (const [at, entry] of entries.entries()) byId.set(entry.id, at)
  return byId
}

/** Fails on an id that is listed twice and on a parent that is not listed. */
export const assertTree = (entries: ReadonlyArray<SessionEntry>): void => {
  const ids = new Set<string>()
  for (const { id } of entries) {
    if (ids.has(id)) throw new StoreError({ reason: "duplicate_entry", id })
    ids.add(id)
  }
  for (const { parentId } of entries) {
    if (parentId !== undefined && !ids.has(parentId)) throw new StoreError({ reason: "missing_parent", id: parentId })
  }
}

/** Where the leaf is listed: the last entry unless one is named, -1 only for an empty list. */
export const leafPosition = (entries: ReadonlyArray<SessionEntry>, leafId: string | undefined): number => {
  if (leafId === undefined) return entries.length - 1
  // From the end: the leaf that is asked for is mostly the newest.
  const at = entries.findLastIndex(({ id }) => id === leafId)
  if (at === -1) throw new StoreError({ reason: "unknown_leaf", id: leafId })
  return at
}

/** The chain from the root to the entry at `leafAt`, the entries themselves. Parents elsewhere in the list are not checked. */
export const pathTo = (entries: ReadonlyArray<SessionEntry>, leafAt: number): Array<SessionEntry> => {
  const path: Array<SessionEntry> = []
  let byId: Map<string, number> | undefined
  let at = leafAt
  for (let entry = entries[at]; entry !== undefined; entry = entries[at]) {
    path.push(entry)
    const parentId = entry.parentId
    if (parentId === undefined) break
    if (path.length === entries.length) throw pathFault(entries, parentId)
    // A log that never branched lists every parent just before its child; only others need the index.
    if (entries[at - 1]?.id === parentId) {
      at -= 1
    } else {
      byId ??= positions(entries)
      at = byId.get(parentId) ?? -1
      if (at === -1) throw new StoreError({ reason: "missing_parent", id: parentId })
    }
  }
  return path.toReversed()
}

/** A path as long as the list still has a parent: that one is missing, or was passed already. */
const pathFault = (entries: ReadonlyArray<SessionEntry>, id: string): StoreError =>
  new StoreError({ reason: entries.some((entry) => entry.id === id) ? "parent_cycle" : "missing_parent", id })
