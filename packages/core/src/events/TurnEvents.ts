/** A turn, its provider attempts and its message. */
import * as Schema from "effect/Schema"
import { ContentBlock } from "../schema/Content.ts"
import { ErrorInfo } from "../schema/ErrorInfo.ts"
import { Message } from "../schema/Message.ts"
import { Usage } from "../schema/Usage.ts"
import { ofRun } from "./RunEvents.ts"

const ofTurn = { ...ofRun, turn: Schema.Finite }

export const TurnStarted = Schema.Struct({ type: Schema.tag("turn_started"), ...ofTurn })
export const TurnFinished = Schema.Struct({ type: Schema.tag("turn_finished"), ...ofTurn })

export const ProviderTurnMetadata = Schema.Struct({
  providerId: Schema.String,
  model: Schema.String,
  requestId: Schema.optional(Schema.String),
  latencyMs: Schema.optional(Schema.Finite),
  attempt: Schema.optional(Schema.Finite),
  httpStatus: Schema.optional(Schema.Finite),
  rateLimitRemaining: Schema.optional(Schema.Finite),
  rateLimitResetMs: Schema.optional(Schema.Finite)
})
/** No content of any message. `latencyMs` is in milliseconds; `attempt` counts from 1 within a turn. */
export type ProviderTurnMetadata = typeof ProviderTurnMetadata.Type

export const ProviderTurnStarted = Schema.Struct({
  type: Schema.tag("provider_turn_started"),
  ...ofTurn,
  metadata: ProviderTurnMetadata
})
export const ProviderTurnFinished = Schema.Struct({
  type: Schema.tag("provider_turn_finished"),
  ...ofTurn,
  metadata: ProviderTurnMetadata,
  usage: Schema.optional(Usage),
  error: Schema.optional(ErrorInfo)
})

export const MessageStarted = Schema.Struct({ type: Schema.tag("message_started"), ...ofRun, message: Message })
export const MessageDelta = Schema.Struct({ type: Schema.tag("message_delta"), ...ofRun, content: ContentBlock })
export const MessageFinished = Schema.Struct({ type: Schema.tag("message_finished"), ...ofRun, message: Message })
