/** A result of Prism as the answer to a `tools/call`. */
import type { ContentBlock, ToolResult } from "@arnilo/prism-core"
import { boundText } from "../boundText.ts"
import { measureJson } from "../measureJson.ts"
import { McpFixedLimits, McpLimits } from "../McpLimits.ts"

export interface McpCallAnswer {
  readonly content: ReadonlyArray<object>
  readonly structuredContent?: object
  readonly isError?: true
}

/** An answer that says why there is none of the tool's. */
export const failedAnswer = (message: string, content: ReadonlyArray<object> = []): McpCallAnswer => ({
  content: [text(boundText(message, McpFixedLimits.remoteTextBytes.hardCap)), ...content],
  isError: true
})

/**
 * Blocks as the protocol has them; an object in `value` is structured content, any other value is text. What is larger than
 * `maxResultBytes` is an error, and nothing of it is sent.
 */
export const toCallAnswer = ({ content = [], error, value }: ToolResult, maxResultBytes: number): McpCallAnswer => {
  const blocks = content.flatMap(toBlocks)
  const isStructured = typeof value === "object" && value !== null && !Array.isArray(value)
  const structured = isStructured ? { structuredContent: value } : {}
  // Clients that know no structured content read the text.
  if (value !== undefined && (!isStructured || blocks.length === 0)) blocks.unshift(textOf(value))
  const answer = error === undefined ? { content: blocks } : failedAnswer(error.message, blocks)
  return bounded({ ...answer, ...structured }, maxResultBytes)
}

const bounded = (answer: McpCallAnswer, maxBytes: number): McpCallAnswer => {
  const measured = measureJson(answer, {
    maxBytes,
    maxDepth: McpLimits.maxJsonDepth.hardCap,
    maxProperties: McpLimits.maxJsonProperties.hardCap
  })
  if (typeof measured === "number") return answer
  return failedAnswer(`The result ${measured.kind === "bytes" ? `exceeds ${maxBytes} bytes` : `is ${measured.reason}`}`)
}

const text = (words: string): { readonly type: "text"; readonly text: string } => ({ type: "text", text: words })

/** As JSON, where it is not text. A function or symbol has none: a block without text would be refused as a whole. */
const textOf = (value: unknown) =>
  text(typeof value === "string" ? value : (JSON.stringify(value) ?? `[${typeof value}]`))

const toBlocks = (block: ContentBlock): ReadonlyArray<object> => {
  switch (block.type) {
    case "text":
      return [typeof block.text === "string" ? text(block.text) : textOf(block)]
    case "image":
    case "file":
      return [toMedia(block)]
    case "audio":
    case "document":
      return [toMedia(block), ...(block.transcript === undefined ? [] : [text(block.transcript)])]
    default:
      return [textOf(block)]
  }
}

type Media = Extract<ContentBlock, { readonly type: "image" | "audio" | "document" | "file" }>

/** Bytes as such or as an embedded resource, what lies elsewhere as a link, anything else as text. */
const toMedia = (block: Media): object => {
  const { data, name, resourceUri, type, url: uri = resourceUri } = block
  const mimeType = (block.type === "image" ? block.mimeType : block.mediaType) ?? "application/octet-stream"
  if (typeof data === "string") {
    if (type === "image" || type === "audio") return { type, data, mimeType }
    const named = uri ?? `prism:${type}/${encodeURIComponent(name ?? "unnamed")}`
    return { type: "resource", resource: { uri: named, mimeType, blob: data } }
  }
  return uri === undefined ? textOf(block) : { type: "resource_link", uri, name: name ?? uri, mimeType }
}
