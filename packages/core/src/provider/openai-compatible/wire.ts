/** The Chat Completions wire, as far as it is read and written here. Unknown fields are ignored, `null` counts as absent. */
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import * as Result from "effect/Result"
import type { JsonObject } from "../../schema/Json.ts"

const maybe = <S extends Schema.Constraint>(schema: S) => Schema.optional(Schema.NullOr(schema))
const anything = Schema.optional(Schema.Unknown)

const WireFunction = Schema.Struct({ name: maybe(Schema.String), arguments: anything })
/** `arguments` is text; some servers send the object itself. */
type WireFunction = typeof WireFunction.Type

const WireToolCall = Schema.Struct({
  index: anything,
  id: anything,
  function: maybe(WireFunction),
  ...WireFunction.fields
})
/** A call or a fragment of one. Some servers leave out `index`, others the `function` around name and arguments. */
export type WireToolCall = typeof WireToolCall.Type

const WireText = Schema.Union([Schema.String, Schema.Array(Schema.Unknown)])

const WireDelta = Schema.Struct({
  content: maybe(WireText),
  refusal: maybe(Schema.String),
  reasoning: maybe(Schema.String),
  reasoning_content: maybe(Schema.String),
  tool_calls: maybe(Schema.Array(WireToolCall)),
  function_call: maybe(WireFunction)
})
export type WireDelta = typeof WireDelta.Type

const WireChoice = Schema.Struct({
  index: anything,
  delta: maybe(WireDelta),
  /** In place of `delta` when the answer is one document. */
  message: maybe(WireDelta),
  finish_reason: maybe(Schema.String),
  error: anything
})

const WireUsage = Schema.Struct({
  prompt_tokens: anything,
  completion_tokens: anything,
  total_tokens: anything,
  prompt_tokens_details: maybe(Schema.Struct({ cached_tokens: anything, cache_write_tokens: anything }))
})
export type WireUsage = typeof WireUsage.Type

const WireChunk = Schema.Struct({
  choices: maybe(Schema.Array(WireChoice)),
  usage: maybe(WireUsage),
  error: anything
})
/** One event of a streamed answer, or a whole answer. */
export type WireChunk = typeof WireChunk.Type

const decode = SchemaParser.decodeUnknownResult(WireChunk)
const format = SchemaIssue.makeFormatterDefault()

/** The chunk, or what is wrong with it in a line. */
export const decodeChunk = (value: unknown): Result.Result<WireChunk, string> => Result.mapError(decode(value), format)

export interface WireContentPart {
  readonly type: "text" | "image_url"
  readonly text?: string
  readonly image_url?: { readonly url: string }
}

export interface WireSentCall {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message as it is sent. */
export type WireMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | ReadonlyArray<WireContentPart> }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: ReadonlyArray<WireSentCall> }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }

export interface WireTool {
  readonly type: "function"
  readonly function: { readonly name: string; readonly description?: string; readonly parameters: JsonObject }
}

/** The body of a request: these fields, and whatever the model's parameters and the request's options add. */
export interface WireRequest {
  readonly model: string
  readonly messages: ReadonlyArray<WireMessage>
  readonly tools?: ReadonlyArray<WireTool>
  readonly stream: true
  readonly [field: string]: unknown
}
