/** What a branch amounts to: its messages and summaries after the latest compaction. */
import type { SessionEntry } from "../records/SessionEntry.ts"
import type { Message } from "../schema/Message.ts"

/** Data of a compaction entry. Everything up to `throughEntryId` is summarised, but for the messages of `keepEntryIds`. */
export interface CompactionEntryData {
  readonly throughEntryId?: string | undefined
  readonly keepEntryIds?: ReadonlyArray<string> | undefined
  readonly strategy?: string | undefined
  readonly trigger?: string | undefined
}

export interface BranchContext {
  readonly messages: Array<Message>
  readonly summaries: Array<string>
}

const isText = (value: unknown): boolean => typeof value === "string"
const isTextOrAbsent = (value: unknown): boolean => value === undefined || isText(value)

/** True for the data that a compaction entry may have. */
export const isCompactionData = (data: unknown): data is CompactionEntryData => {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return false
  // Read as unknown fields of an object; each is checked.
  const { keepEntryIds, strategy, throughEntryId, trigger } = data as Record<string, unknown>
  return (
    isTextOrAbsent(throughEntryId) &&
    isTextOrAbsent(strategy) &&
    isTextOrAbsent(trigger) &&
    (keepEntryIds === undefined || (Array.isArray(keepEntryIds) && keepEntryIds.every(isText)))
  )
}

interface Compaction extends CompactionEntryData {
  readonly summary: string
}

const latestCompaction = (branch: ReadonlyArray<SessionEntry>): Compaction | undefined => {
  for (let at = branch.length - 1; at >= 0; at--) {
    const entry = branch[at]
    if (entry?.kind !== "compaction" || typeof entry.summary !== "string" || entry.summary === "") continue
    if (isCompactionData(entry.data)) return { ...entry.data, summary: entry.summary }
  }
  return undefined
}

/** Position of the last entry that the compaction covers, -1 if it covers none that is on the branch. */
const boundaryOf = (branch: ReadonlyArray<SessionEntry>, { throughEntryId }: CompactionEntryData): number =>
  throughEntryId === undefined ? -1 : branch.findIndex(({ id }) => id === throughEntryId)

/** Messages and summaries of a branch that starts at its root. The messages are those of the entries, not copies. */
export const contextOf = (branch: ReadonlyArray<SessionEntry>): BranchContext => {
  const compaction = latestCompaction(branch)
  const boundary = compaction === undefined ? -1 : boundaryOf(branch, compaction)
  const kept = compaction?.keepEntryIds === undefined ? undefined : new Set(compaction.keepEntryIds)
  const messages: Array<Message> = []
  const summaries: Array<string> = compaction === undefined ? [] : [compaction.summary]
  for (let at = 0; at < branch.length; at++) {
    const entry = branch[at]
    const isBehind = at > boundary
    if (entry?.kind === "message") {
      if (entry.message !== undefined && (isBehind || kept?.has(entry.id) === true)) messages.push(entry.message)
    } else if (entry?.kind === "summary" && entry.summary !== undefined && isBehind) {
      summaries.push(entry.summary)
    }
  }
  return { messages, summaries }
}
