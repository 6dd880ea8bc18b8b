/** A transcript → the messages of a Chat Completions request. Pure; throws before anything is sent. */
import { UnsupportedModalityError } from "../../errors/UnsupportedModalityError.ts"
import type { ContentBlock, ImageContent, ToolResultContent } from "../../schema/Content.ts"
import type { Message } from "../../schema/Message.ts"
import type { ModelConfig } from "../../schema/Model.ts"
import type { WireContentPart, WireMessage, WireSentCall } from "./wire.ts"

/**
 * Thinking is dropped. Throws `UnsupportedModalityError` for an image unless `model.capabilities.input` includes `image`, and
 * for every other media block.
 */
export const toMessages = (model: ModelConfig, messages: ReadonlyArray<Message>): ReadonlyArray<WireMessage> => {
  const wire: Array<WireMessage> = []
  // A tool message holds text only, and nothing may stand between the results of a turn: their images follow them.
  let resultImages: Array<WireContentPart> = []
  for (const message of messages) {
    if (message.role === "tool") {
      resultImages.push(...writeResults(model, message, wire))
      continue
    }
    if (resultImages.length > 0) wire.push({ role: "user", content: resultImages })
    resultImages = []
    if (message.role === "system") wire.push({ role: "system", content: textsOf(model, message).join("\n") })
    else if (message.role === "user") wire.push({ role: "user", content: toParts(model, message) })
    else writeAssistant(model, message, wire)
  }
  if (resultImages.length > 0) wire.push({ role: "user", content: resultImages })
  return wire
}

const refuse = (model: ModelConfig, modality: string): never => {
  throw new UnsupportedModalityError({ modality, provider: model.provider, model: model.model })
}

/** The text of a block; `undefined` for blocks that are not sent. Media have no place where this is called. */
const textOf = (model: ModelConfig, block: ContentBlock): string | undefined => {
  switch (block.type) {
    case "text":
      return block.text
    case "image":
    case "audio":
    case "file":
    case "document":
      return refuse(model, block.type)
    default:
      return undefined
  }
}

const textsOf = (model: ModelConfig, message: Message): ReadonlyArray<string> =>
  message.content.flatMap((block) => textOf(model, block) ?? [])

const toParts = (model: ModelConfig, message: Message): string | ReadonlyArray<WireContentPart> => {
  if (!message.content.some((block) => block.type === "image")) return textsOf(model, message).join("\n")
  return message.content.flatMap((block): WireContentPart | ReadonlyArray<WireContentPart> => {
    if (block.type === "image") return toImage(model, block)
    const text = textOf(model, block)
    return text === undefined ? [] : { type: "text", text }
  })
}

/** A turn that was only thinking is left out: servers refuse an assistant message that holds nothing. */
const writeAssistant = (model: ModelConfig, message: Message, wire: Array<WireMessage>): void => {
  const text = textsOf(model, message).join("")
  const calls = message.content.flatMap((block): WireSentCall | ReadonlyArray<WireSentCall> =>
    block.type === "tool_call"
      ? {
          id: block.id,
          type: "function",
          function: { name: block.name, arguments: JSON.stringify(block.arguments) }
        }
      : []
  )
  if (calls.length > 0) wire.push({ role: "assistant", content: text === "" ? null : text, tool_calls: calls })
  else if (text !== "") wire.push({ role: "assistant", content: text })
}

/** One wire message per result, with the text blocks that follow it. Returns the images that follow them. */
const writeResults = (
  model: ModelConfig,
  message: Message,
  wire: Array<WireMessage>
): ReadonlyArray<WireContentPart> => {
  const images: Array<WireContentPart> = []
  const results: Array<{ readonly result: ToolResultContent; readonly texts: Array<string> }> = []
  for (const block of message.content) {
    if (block.type === "tool_result") results.push({ result: block, texts: [] })
    else if (block.type === "image") images.push(toImage(model, block))
    else {
      const text = textOf(model, block)
      if (text !== undefined) results.at(-1)?.texts.push(text)
    }
  }
  for (const { result, texts } of results) {
    wire.push({ role: "tool", tool_call_id: result.toolCallId, content: toResultText(result, texts) })
  }
  return images
}

/** JSON of the value or error, then the texts; a text that only says the same again is left out. */
const toResultText = ({ error, result }: ToolResultContent, texts: ReadonlyArray<string>): string => {
  const value = result ?? error
  if (value === undefined && texts.length > 0) return texts.join("\n")
  const json = toJson(value)
  return [json, ...texts.filter((text) => text !== json && text !== value)].join("\n")
}

/** A function or a symbol has no JSON, although the type of `JSON.stringify` says otherwise. */
const toJson = (value: unknown): string => JSON.stringify(value ?? null) ?? "null"

const toImage = (model: ModelConfig, image: ImageContent): WireContentPart => {
  if (model.capabilities?.input?.includes("image") !== true) refuse(model, "image")
  if (image.url !== undefined) return { type: "image_url", image_url: { url: image.url } }
  if (image.data === undefined) throw new TypeError("Image content needs data or a url to be sent")
  const mimeType = image.mimeType ?? mimeTypeOf(image.data)
  if (mimeType === undefined) throw new TypeError("Image content needs a mimeType to be sent: its data tells none")
  return { type: "image_url", image_url: { url: `data:${mimeType};base64,${image.data}` } }
}

/** What the first bytes are in base64, for the four kinds of image that servers take. */
const signatures = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"]
] as const

const mimeTypeOf = (data: string): string | undefined => signatures.find(([start]) => data.startsWith(start))?.[1]
