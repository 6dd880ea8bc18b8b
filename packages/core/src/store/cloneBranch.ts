/** A branch as the start of another session. */
import type { SessionEntry } from "../records/SessionEntry.ts"
import { isCompactionData } from "./branchContext.ts"
import { copyEntry } from "./copyEntry.ts"
import { makeId } from "./ids.ts"

export interface CloneBranchOptions {
  readonly sessionId: string
  /** Makes the ids of the clones; `entry_<uuid>` by default. */
  readonly createId?: (() => string) | undefined
}

/**
 * The branch, root first, as entries of `sessionId`: new ids, the same order, kinds, timestamps and payloads. Parents and the
 * ids in a compaction's data name the clones, so the clone rebuilds the same context. The given entries are not changed.
 */
export const cloneBranch = (
  branch: ReadonlyArray<SessionEntry>,
  { createId = () => makeId("entry"), sessionId }: CloneBranchOptions
): Array<SessionEntry> => {
  const renamed = new Map(branch.map(({ id }) => [id, createId()]))
  const rename = (id: string): string => renamed.get(id) ?? id
  return branch.map((entry) => {
    const { data, parentId, ...rest } = copyEntry(entry)
    return {
      ...rest,
      id: rename(entry.id),
      sessionId,
      ...(parentId !== undefined && { parentId: rename(parentId) }),
      ...(data !== undefined && { data: entry.kind === "compaction" ? renamedData(data, rename) : data })
    }
  })
}

/** Malformed data is invisible to a rebuild and stays as it is. */
const renamedData = (data: unknown, rename: (id: string) => string): unknown => {
  if (!isCompactionData(data)) return data
  return {
    ...data,
    ...(data.throughEntryId !== undefined && { throughEntryId: rename(data.throughEntryId) }),
    ...(data.keepEntryIds !== undefined && { keepEntryIds: data.keepEntryIds.map(rename) })
  }
}
