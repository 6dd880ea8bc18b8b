/** What a tool call came to. */
import * as Schema from "effect/Schema"
import { ContentBlock } from "./Content.ts"
import { ErrorInfo } from "./ErrorInfo.ts"
import { Metadata } from "./Json.ts"

export const ToolResult = Schema.Struct({
  toolCallId: Schema.String,
  name: Schema.String,
  content: Schema.optional(Schema.Array(ContentBlock)),
  value: Schema.optional(Schema.Unknown),
  error: Schema.optional(ErrorInfo),
  metadata: Schema.optional(Metadata)
})
/** `value` and `content` are what the model sees of a success, `error` of a refusal or failure. */
export type ToolResult = typeof ToolResult.Type
