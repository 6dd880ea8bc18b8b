/** Blocks of a `tools/call` result as content blocks. Nothing is dropped in silence. */
import type { ContentBlock } from "@arnilo/prism-core"
import { boundText } from "./boundText.ts"

export interface MappedContent {
  readonly content: Array<ContentBlock>
  /** Whether `maxResultBytes` left something out. */
  readonly truncated: boolean
  /** UTF-8 bytes of texts and of base64 data. */
  readonly bytesUsed: number
}

/**
 * Text and images map to themselves. Audio and embedded blobs become a line of text, then an `audio` or `file` block with
 * the bytes; embedded text and links become text. A block of another kind, or one that is malformed, becomes a line that
 * says so. Behind `maxResultBytes` text is cut between code points and other blocks are left out.
 */
export const mapMcpContentToBlocks = (
  content: unknown,
  { maxResultBytes }: { readonly maxResultBytes: number }
): MappedContent => {
  const mapped: Array<ContentBlock> = []
  let bytesUsed = 0
  let truncated = false
  for (const block of Array.isArray(content) ? (content as ReadonlyArray<unknown>) : []) {
    for (const fresh of mapBlock(block)) {
      const left = maxResultBytes - bytesUsed
      const bytes = bytesOf(fresh)
      if (bytes <= left) {
        mapped.push(fresh)
        bytesUsed += bytes
        continue
      }
      truncated = true
      const text = fresh.type === "text" ? boundText(fresh.text, left) : ""
      if (text === "") continue
      mapped.push({ type: "text", text })
      bytesUsed += Buffer.byteLength(text)
    }
  }
  return { content: mapped, truncated, bytesUsed }
}

const bytesOf = (block: ContentBlock): number =>
  Buffer.byteLength(block.type === "text" ? block.text : "data" in block ? (block.data ?? "") : "")

type Fields = { readonly [key: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const text = (line: string): ContentBlock => ({ type: "text", text: line })

const mapBlock = (block: unknown): ReadonlyArray<ContentBlock> => {
  if (!isFields(block) || typeof block["type"] !== "string") return [text("[malformed content block]")]
  const mapped = mapKnown(block)
  const type = boundText(block["type"], 64)
  return mapped ?? [text(KINDS.has(type) ? `[malformed ${type} content]` : `[unsupported content of type ${type}]`)]
}

const KINDS = new Set(["text", "image", "audio", "resource", "resource_link"])

const mapKnown = (block: Fields): ReadonlyArray<ContentBlock> | undefined => {
  const { data, mimeType } = block
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string" ? [text(block["text"])] : undefined
    case "image":
      return typeof data === "string" && typeof mimeType === "string" ? [{ type: "image", data, mimeType }] : undefined
    case "audio":
      if (typeof data !== "string" || typeof mimeType !== "string") return undefined
      return [
        text(`[audio content ${mimeType}, ${base64Bytes(data)} bytes]`),
        { type: "audio", mediaType: mimeType, data }
      ]
    case "resource":
      return mapResource(block["resource"])
    case "resource_link":
      return mapLink(block)
    default:
      return undefined
  }
}

const mapResource = (resource: unknown): ReadonlyArray<ContentBlock> | undefined => {
  if (!isFields(resource) || typeof resource["uri"] !== "string") return undefined
  const { blob, uri } = resource
  const mediaType = (fallback: string): string =>
    typeof resource["mimeType"] === "string" ? resource["mimeType"] : fallback
  if (typeof resource["text"] === "string")
    return [text(`Resource ${uri} (${mediaType("text/plain")}): ${resource["text"]}`)]
  if (typeof blob !== "string") return undefined
  const type = mediaType("application/octet-stream")
  return [
    text(`Resource ${uri} (${type}): [blob ${type}]`),
    { type: "file", mediaType: type, data: blob, resourceUri: uri }
  ]
}

const mapLink = ({ description, mimeType, name, size, uri }: Fields): ReadonlyArray<ContentBlock> | undefined => {
  if (typeof name !== "string" || typeof uri !== "string") return undefined
  const parts = [`Resource link ${name}: ${uri}`]
  if (typeof description === "string") parts.push(description)
  if (typeof mimeType === "string") parts.push(`mime=${mimeType}`)
  if (typeof size === "number") parts.push(`size=${size}`)
  return [text(parts.join(" — "))]
}

/** Bytes that base64 text stands for. */
const base64Bytes = (data: string): number => {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0
  return Math.max(Math.floor((data.length * 3) / 4) - padding, 0)
}
