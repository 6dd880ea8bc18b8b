/** Tokens and cost of a provider turn or of a run. */
import * as Schema from "effect/Schema"

const count = Schema.optional(Schema.Finite)

export const Usage = Schema.Struct({
  inputTokens: count,
  outputTokens: count,
  totalTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  cost: count,
  currency: Schema.optional(Schema.String)
})
/** Absent means not reported, never zero. `cost` is in `currency`. */
export type Usage = typeof Usage.Type
