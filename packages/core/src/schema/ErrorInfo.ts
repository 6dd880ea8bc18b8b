/** The wire form of an error: what hosts, models and stores see of it. */
import * as Schema from "effect/Schema"

export const ErrorInfo = Schema.Struct({
  name: Schema.optional(Schema.String),
  message: Schema.String,
  code: Schema.optional(Schema.Union([Schema.String, Schema.Finite])),
  retryAfterMs: Schema.optional(Schema.Finite),
  cause: Schema.optional(Schema.Unknown)
})
/** `retryAfterMs` is a provider's own hint, in milliseconds. There is no stack. */
export type ErrorInfo = typeof ErrorInfo.Type
