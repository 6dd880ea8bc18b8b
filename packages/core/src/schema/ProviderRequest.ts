/** The data of a provider request beside its messages and tools. */
import * as Schema from "effect/Schema"
import { JsonObject, Metadata } from "./Json.ts"

const text = Schema.optional(Schema.String)

export const CacheRetention = Schema.Literals(["none", "short", "long"])
export type CacheRetention = typeof CacheRetention.Type

export const StructuredOutputOptions = Schema.Struct({
  name: Schema.String,
  schema: JsonObject,
  strict: Schema.optional(Schema.Boolean)
})
/** A JSON Schema that the provider itself enforces on the answer. */
export type StructuredOutputOptions = typeof StructuredOutputOptions.Type

export const CacheBreakpoint = Schema.Struct({
  location: Schema.Literals([
    "system_prompt",
    "tools",
    "stable_context",
    "last_stable_message",
    "last_user_message",
    "message_id"
  ]),
  messageId: text,
  ttl: Schema.optional(Schema.Literals(["short", "long"]))
})
export type CacheBreakpoint = typeof CacheBreakpoint.Type

export const ProviderRequestOptions = Schema.Struct({
  sessionId: text,
  cacheRetention: Schema.optional(CacheRetention),
  cacheKey: text,
  cache: Schema.optional(
    Schema.Struct({
      mode: Schema.optional(Schema.Literals(["auto", "on", "off"])),
      key: text,
      retention: Schema.optional(CacheRetention),
      breakpoints: Schema.optional(Schema.Array(CacheBreakpoint))
    })
  ),
  headers: Schema.optional(Schema.Record(Schema.String, Schema.String)),
  compat: Schema.optional(JsonObject),
  extra: Schema.optional(JsonObject),
  structuredOutput: Schema.optional(StructuredOutputOptions)
})
/** Hints for the adapter. What an adapter does not know it ignores. */
export type ProviderRequestOptions = typeof ProviderRequestOptions.Type

export const ContextBlock = Schema.Struct({
  title: text,
  content: Schema.String,
  metadata: Schema.optional(Metadata)
})
/** A piece of context that a host's provider of context, or an injector, adds to a request. */
export type ContextBlock = typeof ContextBlock.Type
