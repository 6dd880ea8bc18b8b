import * as Data from "effect/Data"

const messages = {
  unknown_leaf: "Unknown session leaf",
  missing_parent: "Missing session parent",
  duplicate_entry: "Duplicate session entry id",
  parent_cycle: "Session parents form a cycle at",
  too_many_pages: "Session branch has too many pages",
  invalid_cursor: "Invalid branch cursor",
  invalid_limit: "Branch limit must be a positive safe integer, not"
} as const

/** A store's entries do not form the tree that was asked for, or a query cannot be read. `id` is what was wrong. */
export class StoreError extends Data.TaggedError("StoreError")<{
  readonly reason: keyof typeof messages
  readonly id: string
}> {
  readonly code = "ERR_PRISM_STORE"

  override get message(): string {
    return `${messages[this.reason]}: ${this.id}`
  }
}
