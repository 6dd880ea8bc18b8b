/** The results of coding tools. `execute` resolves with one for everything that can go wrong. */
import type { ToolExecutionContext, ToolResult } from "@arnilo/prism-core"

/** What a failure adds to its message: partial output as text, metadata. */
interface FailureDetails {
  readonly text?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** The message is the error and, unless there is other text, what the model reads. */
export const failure = (
  name: string,
  { toolCallId }: Pick<ToolExecutionContext, "toolCallId">,
  message: string,
  { text = message, metadata }: FailureDetails = {}
): ToolResult => ({
  toolCallId,
  name,
  content: [{ type: "text", text }],
  error: { message },
  ...(metadata !== undefined && { metadata })
})

export const textResult = (
  name: string,
  { toolCallId }: Pick<ToolExecutionContext, "toolCallId">,
  text: string,
  metadata?: Readonly<Record<string, unknown>>
): ToolResult => ({
  toolCallId,
  name,
  content: [{ type: "text", text }],
  ...(metadata !== undefined && { metadata })
})

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What ends a tool early: its message becomes the error of the result. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure"
}

export const OPERATION_ABORTED = "Operation aborted"

export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted === true) throw new ToolFailure(OPERATION_ABORTED)
}
