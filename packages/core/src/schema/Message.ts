/** One message of a transcript. */
import * as Schema from "effect/Schema"
import { ContentBlock } from "./Content.ts"
import { Metadata } from "./Json.ts"

export const Message = Schema.Struct({
  id: Schema.optional(Schema.String),
  role: Schema.Literals(["system", "user", "assistant", "tool"]),
  content: Schema.Array(ContentBlock),
  metadata: Schema.optional(Metadata)
})
export type Message = typeof Message.Type
