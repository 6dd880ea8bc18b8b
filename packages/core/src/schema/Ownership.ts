/** Whose a stored row is. */
import * as Schema from "effect/Schema"

const text = Schema.optional(Schema.String)

export const OwnershipScope = Schema.Struct({ tenantId: text, accountId: text, userId: text })
/** Copied onto every ledger row of a run. */
export type OwnershipScope = typeof OwnershipScope.Type
