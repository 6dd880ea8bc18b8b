/** The events of one provider turn → its message and calls. What a provider says is untrusted and checked here, once. */
import { ProviderError } from "../errors/ProviderError.ts"
import { ProviderLimits } from "../limits/ProviderLimits.ts"
import { RedactionLimits } from "../limits/RedactionLimits.ts"
import type { ProviderTurnResult } from "../ports/AIProvider.ts"
import type { ContentBlock, ThinkingContent, ToolCallContent } from "../schema/Content.ts"
import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"
import type { Usage } from "../schema/Usage.ts"
import { isJsonObject } from "../security/json.ts"
import { toolCallFromArgumentsText } from "./toolArguments.ts"

/** What an event means for those who watch: a block to show, or nothing. */
export type Told = ContentBlock | undefined

interface Fragments {
  readonly index: number
  id: string | undefined
  name: string | undefined
  bytes: number
  readonly text: Array<string>
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const invalid = (type: string, what: string): ProviderError =>
  new ProviderError({
    error: { message: `Invalid provider event ${type}: ${what}`, code: "invalid_provider_event" }
  })

export class TurnCollector {
  /** Wire names of tools → the documented ones; absent when they are the same. */
  readonly #fromWire: ReadonlyMap<string, string> | undefined
  /** True from the first event that belongs to a message: from then on a failure is observable. */
  started = false
  /** True after `done`: nothing later is read. */
  done = false
  messageId: string | undefined
  usage: Usage | undefined
  readonly #content: Array<ContentBlock> = []
  /** Pieces of the text or thinking block that is being written; joined once, which keeps a fifth of the memory of `+=`. */
  #open:
    | { readonly type: "text" | "thinking"; readonly pieces: Array<string>; signature: string | undefined }
    | undefined
  readonly #calls: Array<ToolCallContent> = []
  #fragments: Map<number, Fragments> | undefined

  constructor(fromWire?: ReadonlyMap<string, string>) {
    this.#fromWire = fromWire
  }

  /** Takes one event in and says what to show of it. Unknown types are ignored; a malformed known one fails the turn. */
  accept(event: ProviderEvent): Told {
    if (!isRecord(event)) throw invalid("?", `expected an object, not ${String(event)}`)
    switch (event.type) {
      case "content_delta":
        return this.#acceptContent(event.content)
      case "message_start":
        this.started = true
        if (typeof event.messageId === "string") this.messageId = event.messageId
        return undefined
      case "tool_call_delta":
        return this.#acceptFragment(event)
      case "tool_call":
        return this.#acceptCall(event.call)
      case "usage":
        if (isRecord(event.usage)) this.usage = event.usage
        return undefined
      case "done":
        if (isRecord(event.usage)) this.usage = event.usage
        this.done = true
        return undefined
      case "error":
        throw new ProviderError({ error: this.#errorOf(event.error) })
      default:
        return undefined
    }
  }

  /** Calls put together from fragments, in order of index, as blocks to show. Fails when one lacks its id or name. */
  finishCalls(): ReadonlyArray<ToolCallContent> {
    if (this.#fragments === undefined) return []
    const groups = [...this.#fragments.values()].toSorted((a, b) => a.index - b.index)
    const finished = groups.map((group) => {
      if (group.id === undefined || group.name === undefined) {
        throw new ProviderError({
          error: { message: `Incomplete tool call delta at index ${group.index}`, code: "incomplete_delta" }
        })
      }
      return writableCall(toolCallFromArgumentsText(group.id, group.name, group.text.join("")))
    })
    return finished.filter((call) => this.#addCall(call))
  }

  result(): ProviderTurnResult {
    this.#closeBlock()
    const result: ProviderTurnResult = { content: this.#content, calls: this.#calls, started: this.started }
    if (this.messageId === undefined && this.usage === undefined) return result
    return {
      ...result,
      ...(this.messageId === undefined ? undefined : { messageId: this.messageId }),
      ...(this.usage === undefined ? undefined : { usage: this.usage })
    }
  }

  #acceptContent(block: ContentBlock): Told {
    if (!isRecord(block)) throw invalid("content_delta", "content must be a content block")
    switch (block.type) {
      case "text":
        if (typeof block.text !== "string") throw invalid("content_delta", "text must be a string")
        this.#write("text", block.text, undefined)
        break
      case "thinking":
        if (typeof block.text !== "string") throw invalid("content_delta", "text must be a string")
        this.#write("thinking", block.text, typeof block.signature === "string" ? block.signature : undefined)
        break
      case "image":
      case "audio":
      case "file":
      case "document":
        this.#closeBlock()
        this.#content.push(block)
        break
      case "tool_call":
        return this.#acceptCall(block)
      case "tool_call_delta":
        return this.#acceptFragment(block)
      case "tool_result":
        throw invalid("content_delta", "a provider does not answer tool calls")
      default:
        return undefined
    }
    this.started = true
    return block
  }

  #write(type: "text" | "thinking", text: string, signature: string | undefined): void {
    if (this.#open === undefined || this.#open.type !== type || this.#open.signature !== undefined) {
      this.#closeBlock()
      this.#open = { type, pieces: [], signature: undefined }
    }
    this.#open.pieces.push(text)
    if (signature !== undefined) this.#open.signature = signature
  }

  #closeBlock(): void {
    const open = this.#open
    if (open === undefined) return
    this.#open = undefined
    const text = open.pieces.join("")
    if (open.type === "text") this.#content.push({ type: "text", text })
    else {
      const thinking: ThinkingContent = { type: "thinking", text }
      this.#content.push(open.signature === undefined ? thinking : { ...thinking, signature: open.signature })
    }
  }

  #acceptFragment(delta: {
    readonly index: number
    readonly id?: string | undefined
    readonly name?: string | undefined
    readonly argumentsText?: string | undefined
  }): Told {
    const { argumentsText, id, index } = delta
    if (typeof index !== "number" || !Number.isFinite(index)) {
      throw invalid("tool_call_delta", `index must be a number, not ${String(index)}`)
    }
    for (const field of ["id", "name", "argumentsText"] as const) {
      if (delta[field] !== undefined && typeof delta[field] !== "string") {
        throw invalid("tool_call_delta", `${field} must be a string`)
      }
    }
    const name = delta.name === undefined ? undefined : this.#documented(delta.name)
    this.started = true
    const fragments = (this.#fragments ??= new Map())
    let group = fragments.get(index)
    if (group === undefined)
      fragments.set(index, (group = { index, id: undefined, name: undefined, bytes: 0, text: [] }))
    // Some servers repeat these as empty text: that names nothing, and takes nothing back.
    if (id !== undefined && id !== "") group.id = id
    if (name !== undefined && name !== "") group.name = name
    // Beyond the bound one more piece is kept, so that the reader sees that there was too much; the rest is not.
    if (argumentsText !== undefined && group.bytes <= ProviderLimits.table.toolArgumentBytes.default) {
      group.bytes += argumentsText.length
      group.text.push(argumentsText)
    }
    return {
      type: "tool_call_delta",
      index,
      ...(id === undefined ? undefined : { id }),
      ...(name === undefined ? undefined : { name }),
      ...(argumentsText === undefined ? undefined : { argumentsText })
    }
  }

  #acceptCall(call: ToolCallContent): Told {
    if (!isRecord(call)) throw invalid("tool_call", "call must be a tool call")
    for (const field of ["id", "name"] as const) {
      if (typeof call[field] !== "string" || call[field] === "") {
        throw invalid("tool_call", `${field} must be a string that is not empty`)
      }
    }
    this.started = true
    const readable = readableCall(call, this.#documented(call.name))
    return this.#addCall(readable) ? readable : undefined
  }

  #documented(name: string): string {
    return this.#fromWire?.get(name) ?? name
  }

  /** A second call with the id of an earlier one is dropped: it could not be answered apart from it. */
  #addCall(call: ToolCallContent): boolean {
    if (this.#calls.some((one) => one.id === call.id)) return false
    this.#closeBlock()
    this.#calls.push(call)
    this.#content.push(call)
    return true
  }

  #errorOf(error: unknown): ErrorInfo {
    if (isErrorInfo(error)) return error
    return { message: `Provider error: ${typeof error === "string" ? error : "no message was given"}` }
  }
}

/** What is stored and sent again is always an object; that it was something else is said beside it. */
const readableCall = (call: ToolCallContent, name: string): ToolCallContent => {
  const { argumentsError } = call
  const isReadable = isJsonObject(call.arguments)
  if (isReadable && argumentsError === undefined && call.type === "tool_call" && name === call.name) {
    return writableCall(call)
  }
  const readable: ToolCallContent = { ...call, type: "tool_call", name }
  if (isReadable && argumentsError === undefined) return writableCall(readable)
  return { ...readable, ...(isReadable ? undefined : { arguments: {} }), argumentsError: blockingError(argumentsError) }
}

/** Engines write JSON by recursion and fail on what is nested some thousand levels deep: no later request could be sent. */
const writableCall = (call: ToolCallContent): ToolCallContent => {
  const { hardCap } = RedactionLimits.table.maxDepth
  if (isWithinDepth(call.arguments, hardCap)) return call
  const message = `Tool arguments are nested more than ${hardCap} levels deep`
  return { ...call, arguments: {}, argumentsError: { message, code: "invalid_json_arguments" } }
}

const isWithinDepth = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return true
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((item) => isWithinDepth(item, levels - 1))
  for (const key in value) if (!isWithinDepth(Reflect.get(value, key), levels - 1)) return false
  return true
}

/** Whatever an adapter gave as the error: it blocks the call. */
const blockingError = (given: unknown): ErrorInfo =>
  isErrorInfo(given) ? given : { message: "Tool arguments must be a JSON object", code: "invalid_json_arguments" }

// The other fields of an error are optional, and shown as they are.
const isErrorInfo = (value: unknown): value is ErrorInfo => isRecord(value) && typeof value["message"] === "string"
