/** What happens to a tool call. A blocked call has one event, every other a start and one end. */
import * as Schema from "effect/Schema"
import { ToolCallContent } from "../schema/Content.ts"
import { ErrorInfo } from "../schema/ErrorInfo.ts"
import { Metadata } from "../schema/Json.ts"
import { ToolResult } from "../schema/ToolResult.ts"
import { ofRun } from "./RunEvents.ts"

const ended = <const Status extends string>(status: Status) =>
  Schema.Struct({ durationMs: Schema.Finite, status: Schema.Literal(status) })

export const ToolBlockedReason = Schema.Literals([
  "unknown_tool",
  "tool_denied",
  "invalid_arguments",
  "permission_denied",
  "validation_failed"
])
/** The gate at which a call ended before its tool ran. */
export type ToolBlockedReason = typeof ToolBlockedReason.Type

export const ToolExecutionStarted = Schema.Struct({
  type: Schema.tag("tool_execution_started"),
  ...ofRun,
  call: ToolCallContent
})
export const ToolExecutionProgress = Schema.Struct({
  type: Schema.tag("tool_execution_progress"),
  ...ofRun,
  toolCallId: Schema.String,
  name: Schema.String,
  progress: Schema.optional(Schema.Unknown),
  metadata: Schema.optional(Metadata)
})
/** `durationMs` is wall time from dispatch to settled result, in milliseconds, here and below. */
export const ToolExecutionFinished = Schema.Struct({
  type: Schema.tag("tool_execution_finished"),
  ...ofRun,
  result: ToolResult,
  metadata: ended("finished")
})
export const ToolExecutionError = Schema.Struct({
  type: Schema.tag("tool_execution_error"),
  ...ofRun,
  call: ToolCallContent,
  error: ErrorInfo,
  metadata: ended("error")
})
export const ToolExecutionBlocked = Schema.Struct({
  type: Schema.tag("tool_execution_blocked"),
  ...ofRun,
  toolCallId: Schema.String,
  name: Schema.String,
  reason: ToolBlockedReason,
  error: ErrorInfo,
  metadata: ended("blocked")
})
