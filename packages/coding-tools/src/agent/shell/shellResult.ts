/** What the model reads of a command and what the host gets beside it. */
import type { ToolExecutionContext, ToolResult } from "@arnilo/prism-core"
import type { OutputAccumulator, OutputBounds } from "../OutputAccumulator.ts"
import type { BackgroundProcess } from "../../process/processes.ts"
import { failure, textResult } from "../results.ts"
import { formatSize, type TruncationResult } from "../truncate.ts"
import type { CommandEnd } from "./execCommand.ts"

/** At most so many processes are named to the model; the metadata has them all. */
const MAX_NAMED = 20

/**
 * The result of a command that was run, or was aborted before. Closes the output, and deletes its file unless the result
 * names it: after a normal end whose output was cut.
 */
export const shellResult = (
  context: ToolExecutionContext,
  bounds: OutputBounds & { readonly timeout: number },
  output: OutputAccumulator,
  end: CommandEnd
): ToolResult => {
  const { truncation, lastLineBytes } = output.close()
  const problem = problemOf(output, end, bounds)
  const isPublished = problem === undefined && truncation.truncated && output.path !== undefined
  const path = isPublished ? output.path : undefined
  if (!isPublished) output.discard()
  const metadata = {
    exitCode: problem === undefined ? end.exitCode : null,
    truncation,
    totalOutputBytes: output.totalBytes,
    outputLimitExceeded: output.overflowed,
    outputStorageFailed: output.storageFailed,
    ...(path !== undefined && { fullOutputPath: path }),
    ...(end.background.length > 0 && { background: end.background })
  }
  const shown = [truncation.content, footer(truncation, lastLineBytes, path)].filter((part) => part !== "").join("\n\n")
  const result =
    problem === undefined
      ? textResult("shell", context, withStatus(shown || "(no output)", end.exitCode), metadata)
      : failure("shell", context, problem, { text: [...(shown ? [shown] : []), `[${problem}]`].join("\n\n"), metadata })
  return withBackground(result, end.background)
}

/** Several may be true: the first that holds is told. */
const problemOf = (
  output: OutputAccumulator,
  { problem }: CommandEnd,
  { maxTotalOutputBytes, timeout }: { readonly maxTotalOutputBytes: number; readonly timeout: number }
): string | undefined => {
  if (output.overflowed) return `Command output exceeded ${formatSize(maxTotalOutputBytes)} limit`
  if (output.storageFailed) return "Command output spill failed"
  if (problem === "timeout") return `Command timed out after ${timeout} seconds`
  if (problem === "aborted") return "Command aborted"
  return problem?.message
}

const withStatus = (text: string, exitCode: number | null): string =>
  exitCode === null || exitCode === 0 ? text : `${text}\n\n[Command exited with code ${exitCode}]`

const footer = (truncation: TruncationResult, lastLineBytes: number, path: string | undefined): string => {
  const { truncated, truncatedBy, totalLines, outputLines, outputBytes, lastLinePartial, maxBytes } = truncation
  if (!truncated) return ""
  const where = path === undefined ? "" : ` Full output: ${path}`
  if (lastLinePartial) {
    return `[Showing last ${formatSize(outputBytes)} of line ${totalLines} (line is ${formatSize(lastLineBytes)}).${where}]`
  }
  const limit = truncatedBy === "bytes" ? ` (${formatSize(maxBytes)} limit)` : ""
  return `[Showing lines ${totalLines - outputLines + 1}-${totalLines} of ${totalLines}${limit}.${where}]`
}

/** A block of its own: the text of the command stays as it is. */
const withBackground = (result: ToolResult, background: ReadonlyArray<BackgroundProcess>): ToolResult => {
  if (background.length === 0) return result
  const named = background.slice(0, MAX_NAMED).map(({ pid, command }) => `${pid} ${command}`)
  const more = background.length > MAX_NAMED ? [`and ${background.length - MAX_NAMED} more`] : []
  const text = ["[Still running in the background:", ...named, ...more].join("\n")
  return { ...result, content: [...(result.content ?? []), { type: "text", text: `${text}]` }] }
}
