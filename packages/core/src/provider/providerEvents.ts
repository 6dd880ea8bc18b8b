/** Builds the events that a provider streams back. */
import type { Secrets } from "../ports/Redaction.ts"
import type { ContentBlock, ToolCallContent } from "../schema/Content.ts"
import type { JsonObject } from "../schema/Json.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"
import type { Usage } from "../schema/Usage.ts"
import { errorToErrorInfo } from "../security/Redactor.ts"

type EventOf<Type extends ProviderEvent["type"]> = Extract<ProviderEvent, { readonly type: Type }>

/** A piece of the answer's text. */
export const providerTextDelta = (text: string): EventOf<"content_delta"> =>
  providerContentDelta({ type: "text", text })

/** A piece of the model's thinking. `signature` is what a vendor wants back with it. */
export const providerThinkingDelta = (text: string, signature?: string): EventOf<"content_delta"> =>
  providerContentDelta({ type: "thinking", text, ...(signature === undefined ? undefined : { signature }) })

/** A block of any kind. */
export const providerContentDelta = (content: ContentBlock): EventOf<"content_delta"> => ({
  type: "content_delta",
  content
})

/** A complete call. */
export const providerToolCall = (call: ToolCallContent): EventOf<"tool_call"> => ({ type: "tool_call", call })

/** A fragment of a call. Fragments with one `index` belong together. */
export const providerToolCallDelta = (delta: {
  readonly index: number
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly argumentsText?: string | undefined
}): EventOf<"tool_call_delta"> => ({ type: "tool_call_delta", ...delta })

/** What the turn has used so far. */
export const providerUsage = (usage: Usage): EventOf<"usage"> => ({ type: "usage", usage })

/** Ends the turn. Its usage, if any, replaces what was reported before. */
export const providerDone = (usage?: Usage): EventOf<"done"> => ({ type: "done", usage })

/** Fails the turn with any thrown value, described by `errorToErrorInfo` without the secrets. */
export const providerError = (error: unknown, secrets?: Secrets): EventOf<"error"> => ({
  type: "error",
  error: errorToErrorInfo(error, secrets)
})

/** A complete call as a content block. */
export const toolCallContent = (id: string, name: string, args: JsonObject = {}): ToolCallContent => ({
  type: "tool_call",
  id,
  name,
  arguments: args
})
