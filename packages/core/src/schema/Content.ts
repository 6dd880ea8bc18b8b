/** Content blocks: what a message is made of. */
import * as Schema from "effect/Schema"
import { ErrorInfo } from "./ErrorInfo.ts"
import { JsonObject, Metadata } from "./Json.ts"

const text = Schema.String
const maybe = Schema.optional(Schema.String)
const metadata = Schema.optional(Metadata)

export const TextContent = Schema.Struct({ type: Schema.tag("text"), text })
export type TextContent = typeof TextContent.Type

/** `data` is base64. */
export const ImageContent = Schema.Struct({
  type: Schema.tag("image"),
  mimeType: maybe,
  data: maybe,
  url: maybe,
  resourceUri: maybe,
  name: maybe,
  metadata
})
export type ImageContent = typeof ImageContent.Type

const media = { mediaType: text, name: maybe, data: maybe, url: maybe, resourceUri: maybe, metadata }

/** `data` is base64. */
export const AudioContent = Schema.Struct({
  type: Schema.tag("audio"),
  ...media,
  durationMs: Schema.optional(Schema.Finite),
  transcript: maybe
})
export type AudioContent = typeof AudioContent.Type

/** `data` is base64. */
export const FileContent = Schema.Struct({ type: Schema.tag("file"), ...media })
export type FileContent = typeof FileContent.Type

/** `data` is base64. */
export const DocumentContent = Schema.Struct({ type: Schema.tag("document"), ...media, transcript: maybe })
export type DocumentContent = typeof DocumentContent.Type

export const ThinkingContent = Schema.Struct({ type: Schema.tag("thinking"), text, signature: maybe })
export type ThinkingContent = typeof ThinkingContent.Type

/** A fragment of a call, for live display. Never stored. */
export const ToolCallDeltaContent = Schema.Struct({
  type: Schema.tag("tool_call_delta"),
  index: Schema.Finite,
  id: maybe,
  name: maybe,
  argumentsText: maybe
})
export type ToolCallDeltaContent = typeof ToolCallDeltaContent.Type

/** A requested call. With `argumentsError` the arguments could not be read, and the call is blocked. */
export const ToolCallContent = Schema.Struct({
  type: Schema.tag("tool_call"),
  id: text,
  name: text,
  arguments: JsonObject,
  argumentsError: Schema.optional(ErrorInfo)
})
export type ToolCallContent = typeof ToolCallContent.Type

export const ToolResultContent = Schema.Struct({
  type: Schema.tag("tool_result"),
  toolCallId: text,
  name: text,
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(ErrorInfo)
})
export type ToolResultContent = typeof ToolResultContent.Type

/** Every kind of block. */
export const ContentBlock = Schema.Union([
  TextContent,
  ImageContent,
  AudioContent,
  FileContent,
  DocumentContent,
  ThinkingContent,
  ToolCallDeltaContent,
  ToolCallContent,
  ToolResultContent
]).pipe(Schema.toTaggedUnion("type"))
export type ContentBlock = typeof ContentBlock.Type
