/** One stored row of a session. */
import * as Schema from "effect/Schema"
import { AgentEvent } from "../events/AgentEvent.ts"
import { Metadata } from "../schema/Json.ts"
import { Message } from "../schema/Message.ts"
import { ModelConfig } from "../schema/Model.ts"

const text = Schema.optional(Schema.String)

export const SessionEntryKind = Schema.Literals([
  "message",
  "event",
  "summary",
  "metadata",
  "model_change",
  "label",
  "custom",
  "compaction"
])
export type SessionEntryKind = typeof SessionEntryKind.Type

export const SessionEntry = Schema.Struct({
  id: Schema.String,
  parentId: text,
  sessionId: Schema.String,
  timestamp: Schema.String,
  kind: SessionEntryKind,
  schemaVersion: Schema.optional(Schema.Literal(1)),
  runId: text,
  message: Schema.optional(Message),
  event: Schema.optional(AgentEvent),
  model: Schema.optional(ModelConfig),
  previousModel: Schema.optional(ModelConfig),
  label: text,
  summary: text,
  data: Schema.optional(Schema.Unknown),
  metadata: Schema.optional(Metadata)
})
/** `timestamp` is ISO 8601 UTC. Entries form a tree by `parentId`; a branch is the chain above a leaf. */
export type SessionEntry = typeof SessionEntry.Type
