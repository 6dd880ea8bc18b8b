/** What concerns a session rather than one run. */
import * as Schema from "effect/Schema"
import { ofRun } from "./RunEvents.ts"

const ofSession = { sessionId: Schema.String, runId: Schema.optional(Schema.String) }

export const QueueUpdated = Schema.Struct({ type: Schema.tag("queue_updated"), ...ofRun, size: Schema.Finite })

export const SubscriberOverflowPolicy = Schema.Literals(["close", "drop_oldest", "drop_newest"])
/** What happens to an event that finds a subscriber's queue full. */
export type SubscriberOverflowPolicy = typeof SubscriberOverflowPolicy.Type

/** Told once, to the one subscriber that overflowed under `close`. */
export const EventSubscriberOverflow = Schema.Struct({
  type: Schema.tag("event_subscriber_overflow"),
  ...ofSession,
  droppedEvents: Schema.Finite,
  maxQueuedEvents: Schema.Finite,
  overflow: SubscriberOverflowPolicy
})
export const CompactionStarted = Schema.Struct({ type: Schema.tag("compaction_started"), ...ofSession })
export const CompactionFinished = Schema.Struct({
  type: Schema.tag("compaction_finished"),
  ...ofSession,
  summary: Schema.String
})
