/** Every event that a session emits, once. Types, guards, the ledger and the docs derive from this union. */
import * as Schema from "effect/Schema"
import * as Artifact from "./ArtifactEvents.ts"
import * as Run from "./RunEvents.ts"
import * as Session from "./SessionEvents.ts"
import * as Tool from "./ToolEvents.ts"
import * as Turn from "./TurnEvents.ts"

export const AgentEvent = Schema.Union([
  Run.AgentStarted,
  Run.AgentFinished,
  Turn.TurnStarted,
  Turn.TurnFinished,
  Turn.ProviderTurnStarted,
  Turn.ProviderTurnFinished,
  Turn.MessageStarted,
  Turn.MessageDelta,
  Turn.MessageFinished,
  Tool.ToolExecutionStarted,
  Tool.ToolExecutionProgress,
  Tool.ToolExecutionFinished,
  Tool.ToolExecutionError,
  Tool.ToolExecutionBlocked,
  Session.QueueUpdated,
  Session.EventSubscriberOverflow,
  Session.CompactionStarted,
  Session.CompactionFinished,
  Run.RetryScheduled,
  Run.RunError,
  Artifact.ArtifactValidationStarted,
  Artifact.ArtifactValidationFinished,
  Artifact.ArtifactRevisionStarted,
  Artifact.ArtifactFinished,
  Artifact.ArtifactFailed
]).pipe(Schema.toTaggedUnion("type"))
/** `AgentEvent.match` is total: a new event fails to compile there. Consumers of JSON must tolerate unknown types. */
export type AgentEvent = typeof AgentEvent.Type
