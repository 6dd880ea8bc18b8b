/** The tool calls of one turn: run, then written to the transcript in the order of the calls. */
import type { LoopContext } from "../ports/LoopStrategy.ts"
import { drivePromise, interruptedBy, type Steps, waitFor } from "../ports/Steps.ts"
import type { ContentBlock, ToolCallContent, ToolResultContent } from "../schema/Content.ts"
import type { Message } from "../schema/Message.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import { readConcurrency } from "./resolveToolConcurrency.ts"
import { ToolPool } from "./ToolPool.ts"

/**
 * Runs at most `context.toolConcurrency` calls at once, one at a time when any of them is exclusive, and appends one `tool`
 * message per call in call order. Rejects with the reason of the abort: after one no further call starts and no result is
 * appended.
 */
export const dispatchToolCallsInOrder = (calls: ReadonlyArray<ToolCallContent>, context: LoopContext): Promise<void> =>
  drivePromise(dispatchInOrder(calls, context), interruptedBy(context.signal))

function* dispatchInOrder(calls: ReadonlyArray<ToolCallContent>, context: LoopContext): Steps<void> {
  if (calls.length === 0) return
  const exclusive =
    context.isToolCallExclusive !== undefined && calls.some((call) => context.isToolCallExclusive?.(call))
  const concurrency = exclusive ? 1 : Math.min(readConcurrency(context.toolConcurrency), calls.length)
  const runAll = (batch: ReadonlyArray<ToolCallContent>) =>
    (context.toolPool ?? ToolPool.live).runAll({
      calls: batch,
      concurrency,
      signal: context.signal,
      dispatch: (call) => context.dispatchToolCall(call)
    })
  if (concurrency > 1) {
    yield* append(context, yield* waitFor(runAll(calls)))
    return
  }
  // One at a time, what is done is kept at once: a crash in a later call does not lose it.
  for (const call of calls) yield* append(context, yield* waitFor(runAll([call])))
}

function* append(context: LoopContext, results: ReadonlyArray<ToolResult>): Steps<void> {
  for (const result of results) {
    context.signal.throwIfAborted()
    const message = toolMessage(result)
    context.history.push(message)
    yield* waitFor(context.appendMessage(message))
  }
}

/** The transcript form of a result: its value or error first, then what content it has. */
export const toolMessage = (result: ToolResult): Message => {
  const { metadata } = result
  const block = resultBlock(result)
  const content: ReadonlyArray<ContentBlock> = result.content === undefined ? [block] : [block, ...result.content]
  return metadata === undefined ? { role: "tool", content } : { role: "tool", content, metadata }
}

const resultBlock = ({ error, name, toolCallId, value: result }: ToolResult): ToolResultContent => {
  const type = "tool_result"
  if (error === undefined) {
    return result === undefined ? { type, toolCallId, name } : { type, toolCallId, name, result }
  }
  return result === undefined ? { type, toolCallId, name, error } : { type, toolCallId, name, result, error }
}
