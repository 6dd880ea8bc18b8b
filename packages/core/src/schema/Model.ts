/** What a host says about a model. */
import * as Schema from "effect/Schema"
import { JsonObject, Metadata } from "./Json.ts"

const flag = Schema.optional(Schema.Boolean)
const count = Schema.optional(Schema.Finite)
const text = Schema.optional(Schema.String)

export const ModelConfig = Schema.Struct({
  provider: Schema.String,
  model: Schema.String,
  displayName: text,
  capabilities: Schema.optional(
    Schema.Struct({
      input: Schema.optional(Schema.Array(Schema.String)),
      output: Schema.optional(Schema.Array(Schema.String)),
      reasoning: flag,
      tools: flag,
      streaming: flag,
      structuredOutput: Schema.optional(Schema.Union([Schema.Boolean, Schema.Literal("json_schema")]))
    })
  ),
  limits: Schema.optional(Schema.Struct({ contextWindow: count, maxOutputTokens: count })),
  cost: Schema.optional(
    Schema.Struct({ input: count, output: count, cacheRead: count, cacheWrite: count, currency: text, unit: text })
  ),
  cache: Schema.optional(
    Schema.Struct({
      kind: Schema.optional(Schema.Literals(["implicit", "openai_key", "cache_control", "provider_specific", "none"])),
      maxKeyLength: count,
      maxBreakpoints: count,
      minCacheableTokens: count,
      longRetention: flag
    })
  ),
  compat: Schema.optional(JsonObject),
  parameters: Schema.optional(Metadata),
  metadata: Schema.optional(Metadata)
})
/** `limits` are in tokens. An undeclared capability is not checked. */
export type ModelConfig = typeof ModelConfig.Type
