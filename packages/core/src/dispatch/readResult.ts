/** What a tool or a hook answered, as a result that every reader behind it can rely on. */
import { ToolResultError } from "../errors/ToolResultError.ts"
import type { ContentBlock, ToolCallContent } from "../schema/Content.ts"
import type { Metadata } from "../schema/Json.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import { detach } from "./detach.ts"
import { hostErrorInfo } from "./hostErrorInfo.ts"
import { toWritable } from "./toWritable.ts"

/**
 * A result of its own with the documented fields, each read once and in a form that can be written as JSON. It is the
 * result of `call` whatever ids it came with. Throws `ToolResultError`, or what a field throws when it is read, for an
 * answer that cannot be told, stored or sent.
 */
export const readResult = (call: ToolCallContent, answer: ToolResult): ToolResult => {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer) || answer instanceof Error) {
    throw invalid(call, `a result object was expected, not ${describe(answer)}`)
  }
  const { content, error, metadata, value } = answer
  if (isAbsent(content) && isAbsent(error) && isAbsent(metadata) && value !== undefined) {
    // What most tools answer with, without the spreads.
    return { toolCallId: call.id, name: call.name, value: written(call, "value", value) }
  }
  return {
    toolCallId: call.id,
    name: call.name,
    ...(isAbsent(content) ? undefined : { content: readContent(call, content) }),
    ...(value === undefined ? undefined : { value: written(call, "value", value) }),
    ...(isAbsent(error) ? undefined : { error: hostErrorInfo(error) }),
    ...(isAbsent(metadata) ? undefined : { metadata: readMetadata(call, metadata) })
  }
}

const invalid = (call: ToolCallContent, problem: string): ToolResultError =>
  new ToolResultError({ tool: call.name, problem })

/** Tools that are not typed say `null` for what they leave out. */
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

const describe = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : value instanceof Error ? "an error" : typeof value

/** A copy: a tool may go on changing what it returned, while the transcript keeps what was said. */
const written = (call: ToolCallContent, field: string, value: unknown): unknown => {
  const writable = toWritable(detach(value))
  if (writable === undefined) throw invalid(call, `${field} cannot be written as JSON`)
  return writable
}

const readMetadata = (call: ToolCallContent, metadata: Metadata): Metadata => {
  if (typeof metadata !== "object" || Array.isArray(metadata)) throw invalid(call, "metadata must be an object")
  // A copy of an object is an object.
  return written(call, "metadata", metadata) as Metadata
}

const readContent = (call: ToolCallContent, content: ReadonlyArray<ContentBlock>): ReadonlyArray<ContentBlock> => {
  // What is checked is what is kept: a getter may answer differently the second time.
  const blocks: unknown = written(call, "content", content)
  if (!Array.isArray(blocks)) throw invalid(call, "content must be an array of content blocks")
  // By index: holes are no blocks either.
  for (let at = 0; at < blocks.length; at += 1) checkBlock(call, blocks[at])
  // The copy of a list of blocks is one.
  return blocks as ReadonlyArray<ContentBlock>
}

/** In the transcript the blocks stand behind the result itself: a call or a result among them would be taken for another's. */
const checkBlock = (call: ToolCallContent, block: Partial<ContentBlock> | null | undefined): void => {
  const type = typeof block === "object" && block !== null ? block.type : undefined
  if (typeof type !== "string") throw invalid(call, "content must be an array of content blocks")
  if (type === "tool_call" || type === "tool_call_delta" || type === "tool_result") {
    throw invalid(call, `content must not hold a block of type ${type}`)
  }
}
