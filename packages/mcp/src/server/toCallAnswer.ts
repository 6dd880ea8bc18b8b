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
 * Blocks as the protocol has them; an object in `value` is structured content as well, any other value is text alone. What
 * is larger than `maxResultBytes` is an error, and nothing of it is sent.
 */
export const toCallAnswer = ({ content = [], error, value }: ToolResult, maxResultBytes: number): McpCallAnswer => {
  const blocks = content.map(toBlock)
  if (error !== undefined) return bounded(failedAnswer(error.message, blocks), maxResultBytes)
  const isStructured = typeof value === "object" && value !== null && !Array.isArray(value)
  // Clients that know no structured content read the text.
  if (value !== undefined && blocks.length === 0) blocks.push(textOf(value))
  return bounded({ content: blocks, ...(isStructured && { structuredContent: value }) }, maxResultBytes)
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

const toBlock = (block: ContentBlock): object => {
  switch (block.type) {
    case "text":
      if (typeof block.text === "string") return text(block.text)
      break
    case "image":
    case "audio":
    case "file": {
      const media = readMedia(block)
      if (media === undefined) break
      if (block.type !== "file") return { type: block.type, ...media }
      return { type: "resource", resource: { uri: "prism:file", mimeType: media.mimeType, blob: media.data } }
    }
    default:
  }
  return textOf(block)
}

/** Base64 data with its type, where a block has both. */
const readMedia = (block: object): { readonly data: string; readonly mimeType: string } | undefined => {
  const { data, mediaType, mimeType = mediaType } = block as { readonly [key: string]: unknown }
  return typeof data === "string" && typeof mimeType === "string" ? { data, mimeType } : undefined
}
