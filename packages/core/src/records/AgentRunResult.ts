/** What a run came to. */
import * as Schema from "effect/Schema"
import { ContentBlock } from "../schema/Content.ts"
import { ErrorInfo } from "../schema/ErrorInfo.ts"
import { Message } from "../schema/Message.ts"
import { Usage } from "../schema/Usage.ts"

export const AgentRunResult = Schema.Struct({
  sessionId: Schema.String,
  runId: Schema.String,
  status: Schema.Literals(["succeeded", "failed", "aborted"]),
  text: Schema.String,
  content: Schema.Array(ContentBlock),
  message: Schema.optional(Message),
  usage: Schema.optional(Usage),
  leafId: Schema.optional(Schema.String),
  error: Schema.optional(ErrorInfo),
  abortReason: Schema.optional(Schema.String)
})
/**
 * `message` is the last assistant message that this run completed; `text` and `content` are of it, empty without one.
 * `leafId` is the tip of the branch after the run. With a redactor it is clean, but for
 * `abortReason`, which is what the host itself gave.
 */
export type AgentRunResult = typeof AgentRunResult.Type
