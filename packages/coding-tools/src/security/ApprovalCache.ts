/** What a person decided about an action, for as long as a run or a session lasts. Belongs to one policy. */
import { createHash } from "node:crypto"
import type { ExecutionAction } from "@arnilo/prism-core"

export type ApprovalCacheScope = "none" | "run" | "session"

/** Decisions that one policy keeps; the oldest makes room. */
const MAX_DECISIONS = 1_000

export interface ApprovalCache {
  /** A digest of the action within its run or session; undefined where this check must not be cached. */
  readonly keyOf: (action: ExecutionAction) => string | undefined
  readonly get: (key: string) => boolean | undefined
  readonly set: (key: string, approved: boolean) => void
}

/** Holds digests alone, never a command or a path. A hit does not make a decision younger. */
export const createApprovalCache = (scope: ApprovalCacheScope): ApprovalCache => {
  const decisions = new Map<string, boolean>()
  return {
    keyOf: ({ kind, operation, paths, command, metadata }) => {
      if (scope === "none") return undefined
      const identity = scope === "run" ? metadata?.["runId"] : metadata?.["sessionId"]
      if (typeof identity !== "string" || identity === "") return undefined
      const shape = JSON.stringify([scope, identity, kind, operation, paths ?? [], command ?? ""])
      return createHash("sha256").update(shape).digest("hex")
    },
    get: (key) => decisions.get(key),
    set: (key, approved) => {
      decisions.set(key, approved)
      if (decisions.size <= MAX_DECISIONS) return
      for (const oldest of decisions.keys()) {
        decisions.delete(oldest)
        return
      }
    }
  }
}
