/** A run starts, retries a provider turn, ends. */
import * as Schema from "effect/Schema"
import { ErrorInfo } from "../schema/ErrorInfo.ts"
import { Usage } from "../schema/Usage.ts"

/** Every event of a run carries these. */
export const ofRun = { sessionId: Schema.String, runId: Schema.String }

export const AgentStarted = Schema.Struct({ type: Schema.tag("agent_started"), ...ofRun })

/** `usage` is the sum over all turns that reported any. */
export const AgentFinished = Schema.Struct({
  type: Schema.tag("agent_finished"),
  ...ofRun,
  usage: Schema.optional(Usage)
})

/** `attempt` is the one that failed, from 1; the next begins after `delayMs` milliseconds. */
export const RetryScheduled = Schema.Struct({
  type: Schema.tag("retry_scheduled"),
  ...ofRun,
  attempt: Schema.Finite,
  delayMs: Schema.Finite,
  error: ErrorInfo
})

/** The last event of a run that failed or was aborted. */
export const RunError = Schema.Struct({
  type: Schema.tag("error"),
  sessionId: Schema.optional(Schema.String),
  runId: Schema.optional(Schema.String),
  error: ErrorInfo
})
