/** What a provider streams back during one turn. */
import * as Schema from "effect/Schema"
import { ContentBlock, ToolCallContent } from "./Content.ts"
import { ErrorInfo } from "./ErrorInfo.ts"
import { Usage } from "./Usage.ts"

const text = Schema.optional(Schema.String)

export const ProviderEvent = Schema.Union([
  Schema.Struct({ type: Schema.tag("message_start"), messageId: text }),
  Schema.Struct({ type: Schema.tag("content_delta"), content: ContentBlock }),
  Schema.Struct({
    type: Schema.tag("tool_call_delta"),
    index: Schema.Finite,
    id: text,
    name: text,
    argumentsText: text
  }),
  Schema.Struct({ type: Schema.tag("tool_call"), call: ToolCallContent }),
  Schema.Struct({ type: Schema.tag("usage"), usage: Usage }),
  Schema.Struct({ type: Schema.tag("done"), usage: Schema.optional(Usage) }),
  Schema.Struct({ type: Schema.tag("error"), error: ErrorInfo })
]).pipe(Schema.toTaggedUnion("type"))
/** `done` and `error` end the turn; a stream that just ends is a finished turn. Unknown types are ignored. */
export type ProviderEvent = typeof ProviderEvent.Type
