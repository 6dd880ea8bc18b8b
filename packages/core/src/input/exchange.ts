/** One exchange of a log: a message and, if it asks for tools, their results. */
import type { ContentBlock, ToolCallContent } from "../schema/Content.ts"
import type { Message } from "../schema/Message.ts"

/** The answer to a call whose result nobody recorded. */
const missingResult = ({ id, name }: ToolCallContent): Message => ({
  role: "tool",
  content: [
    {
      type: "tool_result",
      toolCallId: id,
      name,
      error: {
        message: "Tool call interrupted: no result was recorded; effects unknown",
        code: "ERR_PRISM_TOOL_RESULT_MISSING"
      }
    }
  ]
})

/** A log comes from a store: what its types promise may not be so. */
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null

const hasBlocks = (message: Message): boolean => Array.isArray(message.content)

/** The blocks that a message of this role may send. Calls are an assistant's, results a tool's, fragments nobody's. */
const belongs = (role: Message["role"], block: ContentBlock): boolean => {
  if (!isObject(block)) return false
  if (block.type === "tool_call") return role === "assistant"
  if (block.type === "tool_result") return role === "tool"
  return block.type !== "tool_call_delta"
}

/** True if the message is one result of call `id`, and nothing in it has to go. */
const isResultOf = (message: Message | undefined, id: string): boolean => {
  if (message === undefined || !isObject(message) || message.role !== "tool" || !hasBlocks(message)) return false
  let results = 0
  for (const block of message.content) {
    if (!belongs("tool", block)) return false
    if (block.type === "tool_result") {
      results += 1
      if (results > 1 || block.toolCallId !== id) return false
    }
  }
  return results === 1
}

/** The message behind the exchange that starts at `at`, or -1 if a provider would not accept that exchange as it is. */
export const cleanStep = (messages: ReadonlyArray<Message>, at: number): number => {
  const message = messages[at]
  if (message === undefined || !isObject(message) || message.role === "tool") return -1
  let next = at + 1
  if (!hasBlocks(message)) return next
  for (const block of message.content) {
    if (!belongs(message.role, block)) return -1
    if (block.type === "tool_call") {
      if (!isResultOf(messages[next], block.id)) return -1
      next += 1
    }
  }
  return next
}

/** `open` says that the log ended before every call had its result. */
export interface RepairStep {
  readonly next: number
  readonly open: boolean
}

/** Adds the view of the exchange that starts at `at`. */
export const repairStep = (messages: ReadonlyArray<Message>, at: number, view: Array<Message>): RepairStep => {
  const message = messages[at]
  const sent = message === undefined ? undefined : accepted(message)
  const next = at + 1
  // A tool message that starts an exchange has no call before it.
  if (sent === undefined || sent.role === "tool") return { next, open: false }
  view.push(sent)
  const calls = hasBlocks(sent) ? sent.content.filter((block) => block.type === "tool_call") : []
  return calls.length === 0 ? { next, open: false } : answer(calls, messages, next, view)
}

/** Adds one result per call, then whatever else stood between them. */
const answer = (
  calls: ReadonlyArray<ToolCallContent>,
  messages: ReadonlyArray<Message>,
  from: number,
  view: Array<Message>
): RepairStep => {
  const waiting = positionsById(calls)
  const results: Array<Message | undefined> = calls.map(() => undefined)
  const others: Array<Message> = []
  let unanswered = calls.length
  let at = from
  for (; unanswered > 0 && at < messages.length; at++) {
    const message = messages[at]
    if (message?.role === "assistant") break
    const sent = message === undefined ? undefined : accepted(message)
    if (sent === undefined) continue
    if (sent.role !== "tool") {
      others.push(sent)
      continue
    }
    for (const result of singleResults(sent)) {
      const call = waiting.get(result.id)?.pop()
      if (call === undefined) continue
      results[call] = result.message
      unanswered -= 1
    }
  }
  for (const [call, result] of results.entries()) {
    const asked = calls[call]
    if (asked !== undefined) view.push(result ?? missingResult(asked))
  }
  for (const other of others) view.push(other)
  return { next: at, open: unanswered > 0 && at === messages.length }
}

/** Which calls wait under an id, the first one last: ids may repeat, and results then answer in order. */
const positionsById = (calls: ReadonlyArray<ToolCallContent>): Map<string, Array<number>> => {
  const byId = new Map<string, Array<number>>()
  for (let call = calls.length - 1; call >= 0; call--) {
    const id = calls[call]?.id
    if (id === undefined) continue
    const waiting = byId.get(id)
    if (waiting === undefined) byId.set(id, [call])
    else waiting.push(call)
  }
  return byId
}

/** The message without the blocks that may not be sent; nothing if nothing is left of it, or it is none. */
const accepted = (message: Message): Message | undefined => {
  if (!isObject(message)) return undefined
  if (!hasBlocks(message)) return message.role === "tool" ? undefined : message
  const { content, role } = message
  if (content.every((block) => belongs(role, block))) return message
  const kept = content.filter((block) => belongs(role, block))
  return kept.length === 0 ? undefined : { ...message, content: kept }
}

interface SingleResult {
  readonly id: string
  readonly message: Message
}

/** A tool message as one message per result, each with the blocks that follow its result; one that has no result is none. */
const singleResults = (message: Message): ReadonlyArray<SingleResult> => {
  const positions: Array<number> = []
  for (const [at, block] of message.content.entries()) if (block.type === "tool_result") positions.push(at)
  return positions.flatMap((at, index) => {
    const result = message.content[at]
    if (result?.type !== "tool_result") return []
    const id = result.toolCallId
    if (positions.length === 1) return [{ id, message }]
    // What stands before the first result goes with it.
    const content = message.content.slice(index === 0 ? 0 : at, positions[index + 1])
    return [{ id, message: { ...message, content } }]
  })
}
