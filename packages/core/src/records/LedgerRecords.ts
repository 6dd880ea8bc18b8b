/** Rows of a run ledger. */
import * as Schema from "effect/Schema"
import { ErrorInfo } from "../schema/ErrorInfo.ts"
import { JsonObject, Metadata } from "../schema/Json.ts"
import { ModelConfig } from "../schema/Model.ts"
import { OwnershipScope } from "../schema/Ownership.ts"
import { ToolResult } from "../schema/ToolResult.ts"
import { Usage } from "../schema/Usage.ts"
import { AgentEvent } from "../events/AgentEvent.ts"

const text = Schema.optional(Schema.String)
const row = {
  ...OwnershipScope.fields,
  id: Schema.String,
  sessionId: Schema.String,
  metadata: Schema.optional(Metadata)
}
const ofRun = { ...row, runId: text, entryId: text }

export const RunStatus = Schema.Literals(["queued", "running", "suspended", "denied", "succeeded", "failed", "aborted"])
export type RunStatus = typeof RunStatus.Type

/** One row when a run starts, one with the same `id` and `startedAt` when it ends. Times are ISO 8601 UTC. */
export const RunRecord = Schema.Struct({
  ...row,
  branchId: text,
  agentDefinitionId: text,
  agentDefinitionVersion: text,
  model: Schema.optional(ModelConfig),
  provider: text,
  idempotencyKey: text,
  status: Schema.optional(RunStatus),
  startedAt: Schema.String,
  finishedAt: text,
  abortReason: text,
  error: Schema.optional(ErrorInfo)
})
export type RunRecord = typeof RunRecord.Type

/** `redacted` tells whether a redactor was active. */
export const AgentEventRecord = Schema.Struct({
  ...ofRun,
  type: Schema.String,
  timestamp: Schema.String,
  event: AgentEvent,
  redacted: Schema.Boolean
})
export type AgentEventRecord = typeof AgentEventRecord.Type

export const ToolCallStatus = Schema.Literals(["started", "finished", "error", "blocked"])
export type ToolCallStatus = typeof ToolCallStatus.Type

/** All rows of one dispatch share `startedAt`; each has its own `id`. */
export const ToolCallRecord = Schema.Struct({
  ...ofRun,
  toolCallId: Schema.String,
  name: Schema.String,
  arguments: JsonObject,
  result: Schema.optional(ToolResult),
  status: Schema.optional(ToolCallStatus),
  reason: text,
  progress: Schema.optional(Schema.Unknown),
  progressMetadata: Schema.optional(Metadata),
  progressAt: text,
  startedAt: Schema.String,
  finishedAt: text,
  redacted: Schema.Boolean
})
export type ToolCallRecord = typeof ToolCallRecord.Type

/** The two scopes are never added to each other: `run_total` is the sum of its `provider_turn` rows. */
export const UsageRecord = Schema.Struct({
  ...ofRun,
  scope: Schema.Literals(["provider_turn", "run_total"]),
  turn: Schema.optional(Schema.Finite),
  attempt: Schema.optional(Schema.Finite),
  usage: Usage,
  recordedAt: Schema.String
})
export type UsageRecord = typeof UsageRecord.Type
