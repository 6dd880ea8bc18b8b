/** The `write` tool: a whole file, created or replaced. */
import { refuseUnknownOptions } from "../knownOptions.ts"
import { dirname } from "node:path"
import type { ExecutionPolicy, ToolDefinition } from "@arnilo/prism-core"
import { resolveLimit } from "../CodingToolsLimits.ts"
import { withFileMutationQueue } from "./mutationQueue.ts"
import { requireMembers } from "./requireMembers.ts"
import { resolvePath } from "./resolvePath.ts"
import { textResult, throwIfAborted, ToolFailure } from "./results.ts"
import { authorizeFileChange, settleTool } from "./runFileTool.ts"
import { localWriteOperations, type WriteOperations } from "./WriteOperations.ts"

export interface WriteToolOptions {
  executionPolicy?: ExecutionPolicy
  /** Replaces the local file system whole. */
  operations?: WriteOperations
  /** UTF-8 bytes of one call's content. 8 MiB by default, 64 MiB at most. */
  maxInputBytes?: number
}

const NAME = "write"
const KNOWN = { executionPolicy: true, operations: true, maxInputBytes: true } as const

/**
 * Writes a file below or outside `cwd`, with the directories above it, in one step: nobody sees half of it, and what
 * fails or is aborted changes nothing. Writes of one file follow each other. Throws a `RangeError` for a limit out of
 * range.
 */
export const createWriteTool = (cwd: string, options: WriteToolOptions = {}): ToolDefinition => {
  refuseUnknownOptions("The write tool", options, KNOWN)
  const { executionPolicy, operations = localWriteOperations } = options
  const maxBytes = resolveLimit("maxWriteBytes", options.maxInputBytes, "maxInputBytes")
  return {
    name: NAME,
    description:
      "Write content to a file. Creates the file and missing directories above it; replaces the file if it exists.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file, absolute or relative to the working directory." },
        content: { type: "string", description: "The whole content of the file." }
      },
      required: ["path", "content"],
      additionalProperties: false
    },
    execute: (args, context) =>
      settleTool(NAME, context, async () => {
        const { signal } = context
        const requested = resolvePath(cwd, args["path"])
        const content = contentOf(args["content"], maxBytes)
        requireMembers("WriteOperations", operations, ["mkdir", "writeFile"])
        throwIfAborted(signal)
        const bytes = Buffer.byteLength(content)
        const change = { kind: NAME, cwd, path: requested, metadata: { bytes }, proposal: { content } } as const
        const path = await authorizeFileChange(executionPolicy, change, context)
        await withFileMutationQueue(path, async () => {
          throwIfAborted(signal)
          await operations.mkdir(dirname(path), withSignal(signal))
          throwIfAborted(signal)
          await operations.writeFile(path, content, { maxBytes, ...withSignal(signal) })
        })
        const lines = linesOf(content)
        const text = `Successfully wrote ${bytes} bytes (${lines} lines) to ${path}`
        return textResult(NAME, context, text, { bytes, lines, path })
      })
  }
}

const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })

const contentOf = (content: unknown, maxBytes: number): string => {
  if (typeof content !== "string") throw new ToolFailure("content is required and must be a string.")
  const bytes = Buffer.byteLength(content)
  if (bytes > maxBytes) throw new ToolFailure(`Write input is ${bytes} bytes, exceeds ${maxBytes} byte limit.`)
  return content
}

/** Line feeds and one more; an empty text has no line. */
const linesOf = (content: string): number => {
  if (content === "") return 0
  let lines = 1
  for (let at = content.indexOf("\n"); at >= 0; at = content.indexOf("\n", at + 1)) lines++
  return lines
}
