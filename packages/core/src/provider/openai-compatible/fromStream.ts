/** The bytes of an answer → provider events. Pure; one reader per answer. */
import * as Sse from "effect/encoding/Sse"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { isLongerThan } from "../../limits/byteLength.ts"
import { OpenAICompatibleLimits } from "../../limits/OpenAICompatibleLimits.ts"
import type { ProviderEvent } from "../../schema/ProviderEvent.ts"
import type { Usage } from "../../schema/Usage.ts"
import { cutText, inBandError, turnError } from "./mapErrors.ts"
import { ToolCallAssembler } from "./ToolCallAssembler.ts"
import { decodeChunk, type WireChunk, type WireDelta, type WireUsage } from "./wire.ts"

const { bufferBytes, eventBytes, excerptBytes } = OpenAICompatibleLimits.table
const MAX_EVENT = eventBytes.default

/** What a reader is made with. */
export interface ChatReaderOptions {
  /** Of the provider, for messages. */
  readonly id: string
  /** Takes the events in order. */
  readonly write: (event: ProviderEvent) => void
  /** Applied to what the server said before an error quotes a piece of it. */
  readonly redact: (text: string) => string
}

/**
 * Reads one answer. Its methods fail with `ProviderError` when the answer is not what it should be; nothing may be read after
 * that. It writes `done` once, and only behind `[DONE]` and a finish reason.
 */
export class ChatReader {
  /** True after `done`. */
  isDone = false
  #isEnding = false
  #finishReason: string | undefined
  #usage: Usage | undefined
  readonly #options: ChatReaderOptions
  readonly #calls: ToolCallAssembler
  readonly #decoder = new TextDecoder("utf-8", { fatal: true })
  readonly #parser: Sse.Parser

  constructor(options: ChatReaderOptions) {
    this.#options = options
    this.#calls = new ToolCallAssembler(options.id)
    // The parser counts UTF-16 units, never more than bytes. An event is measured exactly when it is complete.
    this.#parser = Sse.makeParser((event) => this.#readEvent(event), { maxEventSize: bufferBytes.default })
  }

  /** What was reported so far; for a turn that fails. */
  get usage(): Usage | undefined {
    return this.#usage
  }

  /** A piece of an event stream, cut anywhere. */
  push(bytes: Uint8Array): void {
    this.#feed(this.#decode(bytes))
  }

  /** The event stream is over. Fails unless it was done. */
  end(contentType?: string): void {
    if (this.isDone) return
    this.#isEnding = true
    // Some servers leave out the blank line behind the last event.
    this.#feed(`${this.#decode()}\n\n`)
    if (!this.isDone) this.#failIncomplete(contentType)
  }

  /** A whole answer in one JSON document, from servers that do not stream. */
  readDocument(bytes: Uint8Array): void {
    this.#readChunk(this.#parse(this.#decode(bytes) + this.#decode()))
    this.#finish()
  }

  #decode(bytes?: Uint8Array): string {
    try {
      return bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true })
    } catch {
      // What is missing at the end never came.
      if (bytes === undefined) this.#failIncomplete()
      throw turnError("malformed_utf8", `${this.#options.id} sent malformed UTF-8`)
    }
  }

  #feed(text: string): void {
    if (this.#parser.feed(text) !== undefined) this.#failTooLarge(bufferBytes.default)
  }

  #readEvent(event: Sse.AnyEvent): void {
    if (this.isDone || !Predicate.isTagged(event, "Event")) return
    const data = event.data.trim()
    if (isLongerThan(data, MAX_EVENT)) this.#failTooLarge(MAX_EVENT)
    if (data === "[DONE]") return this.#finish()
    if (data === "") return
    const value = this.#parse(data)
    if (event.event === "error" && (!isRecord(value) || value["error"] === undefined))
      throw inBandError(this.#options.id, value)
    this.#readChunk(value)
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      // What a broken connection leaves behind is no fault of the server's JSON.
      if (this.#isEnding) this.#failIncomplete()
      throw turnError("malformed_chunk", `${this.#options.id} sent malformed JSON: ${this.#excerpt(text)}`)
    }
  }

  #readChunk(value: unknown): void {
    const chunk = Result.getOrElse(decodeChunk(value), (issue) => {
      throw turnError("malformed_chunk", `${this.#options.id} sent a malformed chunk: ${this.#excerpt(issue)}`)
    })
    this.#failOnError(chunk, value)
    if (chunk.usage) this.#usage = toUsage(chunk.usage)
    const choice = chunk.choices?.find(({ index }) => index === undefined || index === null || index === 0)
    if (choice === undefined) return
    const delta = choice.delta ?? choice.message
    if (delta) this.#readDelta(delta)
    if (choice.finish_reason) this.#finishReason = choice.finish_reason
  }

  #failOnError({ choices, error }: WireChunk, value: unknown): void {
    const told = error ?? choices?.find((choice) => choice.error !== undefined && choice.error !== null)?.error
    if (told !== undefined) throw inBandError(this.#options.id, told)
    if (isRecord(value) && value["object"] === "error") throw inBandError(this.#options.id, value)
  }

  #readDelta(delta: WireDelta): void {
    const { write } = this.#options
    // Gateways send the same thought under both names.
    const thought = delta.reasoning_content || delta.reasoning
    if (thought) write({ type: "content_delta", content: { type: "thinking", text: thought } })
    for (const text of [toText(delta.content), delta.refusal]) {
      if (text) write({ type: "content_delta", content: { type: "text", text } })
    }
    if (delta.tool_calls) for (const call of delta.tool_calls) write(this.#calls.accept(call))
    // The form before tool calls has no id to answer to; as a fragment it fails the turn instead of being lost.
    if (delta.function_call) write(this.#calls.accept({ index: 0, function: delta.function_call }))
  }

  #finish(): void {
    const reason = this.#finishReason
    if (reason === undefined) this.#failIncomplete()
    if (reason === "error") throw turnError("error", `${this.#options.id} stream failed: finish reason error`)
    const { write } = this.#options
    const cutBy = reason === "length" || reason === "content_filter" ? reason : undefined
    for (const call of this.#calls.finish(cutBy)) write({ type: "tool_call", call })
    const usage = this.#usage
    if (usage !== undefined) write({ type: "usage", usage })
    write(usage === undefined ? { type: "done" } : { type: "done", usage })
    this.isDone = true
  }

  #failIncomplete(contentType?: string): never {
    const missing = this.#finishReason === undefined ? "a finish reason" : "[DONE]"
    const type = contentType === undefined ? "" : ` (content type ${this.#excerpt(contentType)})`
    throw turnError("incomplete_stream", `${this.#options.id} stream ended without ${missing}${type}`)
  }

  #failTooLarge(limit: number): never {
    throw turnError("event_too_large", `${this.#options.id} sent an event of more than ${limit} bytes`)
  }

  #excerpt(text: string): string {
    return cutText(this.#options.redact(text), excerptBytes.default)
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** Parts that are not text are not read. */
const toText = (content: WireDelta["content"]): string | undefined => {
  if (typeof content === "string") return content
  if (!content) return undefined
  return content.map((part) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : "")).join("")
}

const toCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined

/** What the server does not report stays absent. */
const toUsage = (wire: WireUsage): Usage => {
  const counts = {
    inputTokens: toCount(wire.prompt_tokens),
    outputTokens: toCount(wire.completion_tokens),
    totalTokens: toCount(wire.total_tokens),
    cacheReadTokens: toCount(wire.prompt_tokens_details?.cached_tokens),
    cacheWriteTokens: toCount(wire.prompt_tokens_details?.cache_write_tokens)
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined))
}
