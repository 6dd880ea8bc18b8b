/** The `edit` tool: texts in a file, replaced by others. */
import type { ExecutionPolicy, ToolDefinition } from "@arnilo/prism-core"
import { resolveLimit } from "../CodingToolsLimits.ts"
import { refuseUnknownOptions } from "../knownOptions.ts"
import { diffsOf, type EditDiffs } from "./diffs.ts"
import { applyEdits } from "./edit/applyEdits.ts"
import { parseEdits, type Edit } from "./edit/parseEdits.ts"
import { localEditOperations, type EditOperations } from "./EditOperations.ts"
import { withFileMutationQueue } from "./mutationQueue.ts"
import { requireMembers } from "./requireMembers.ts"
import { resolvePath } from "./resolvePath.ts"
import { textResult, throwIfAborted, ToolFailure } from "./results.ts"
import { authorizeFileChange, settleTool } from "./runFileTool.ts"

export interface EditToolOptions {
  executionPolicy?: ExecutionPolicy
  /** Replaces the local file system whole. */
  operations?: EditOperations
  /** Bytes of a file that may be edited. 8 MiB by default, 64 MiB at most. */
  maxFileBytes?: number
  /** UTF-8 bytes of all texts of one call. 2 MiB by default, 16 MiB at most. */
  maxInputBytes?: number
  /** Replacements of one call. 100 by default, 1,000 at most. */
  maxEdits?: number
}

const NAME = "edit"
const KNOWN = {
  executionPolicy: true,
  operations: true,
  maxFileBytes: true,
  maxInputBytes: true,
  maxEdits: true
} as const

/**
 * Replaces texts that occur once in a file, all matched against the file as it was, in one step. Nothing outside the
 * replaced texts changes, line ends and byte order mark included; what fails or is aborted changes nothing. Edits of one
 * file follow each other. Throws a `RangeError` for a limit out of range.
 */
export const createEditTool = (cwd: string, options: EditToolOptions = {}): ToolDefinition => {
  refuseUnknownOptions("The edit tool", options, KNOWN)
  const { executionPolicy, operations = localEditOperations } = options
  const maxFileBytes = resolveLimit("maxFileBytes", options.maxFileBytes)
  const maxInputBytes = resolveLimit("maxEditInputBytes", options.maxInputBytes, "maxInputBytes")
  const maxEdits = resolveLimit("maxEdits", options.maxEdits)
  return {
    name: NAME,
    description:
      "Replace texts in a file. Each oldText must occur exactly once in the file and must not overlap another one; all are matched against the file as it was before the call.",
    parameters: PARAMETERS,
    execute: (args, context) =>
      settleTool(NAME, context, async () => {
        const requested = resolvePath(cwd, args["path"])
        // `resolvePath` refuses anything else.
        const spelling = args["path"] as string
        const edits = parseEdits(args, { maxEdits, maxInputBytes })
        requireMembers("EditOperations", operations, ["access", "statFile", "readFile", "writeFile"])
        throwIfAborted(context.signal)
        const metadata = { editCount: edits.length }
        const change = { kind: NAME, cwd, path: requested, metadata, proposal: { edits } } as const
        const path = await authorizeFileChange(executionPolicy, change, context)
        const diffs = await withFileMutationQueue(path, () =>
          editFile(operations, { path, spelling, edits, maxFileBytes, signal: context.signal })
        )
        const text = `Successfully replaced ${edits.length} block(s) in ${spelling}.`
        return textResult(NAME, context, text, { ...diffs, path })
      })
  }
}

const PARAMETERS = {
  type: "object",
  properties: {
    path: { type: "string", description: "Path of the file, absolute or relative to the working directory." },
    edits: {
      type: "array",
      description: "Replacements in disjoint places.",
      items: {
        type: "object",
        properties: {
          oldText: { type: "string", description: "The text to replace, with enough context to occur only once." },
          newText: { type: "string", description: "What to put in its place, literally." }
        },
        required: ["oldText", "newText"],
        additionalProperties: false
      }
    }
  },
  required: ["path", "edits"],
  additionalProperties: false
}

interface FileEdit {
  readonly path: string
  /** The path as the caller wrote it. */
  readonly spelling: string
  readonly edits: ReadonlyArray<Edit>
  readonly maxFileBytes: number
  readonly signal: AbortSignal | undefined
}

const editFile = async (
  operations: EditOperations,
  { path, spelling, edits, maxFileBytes, signal }: FileEdit
): Promise<EditDiffs> => {
  const options = signal === undefined ? {} : { signal }
  throwIfAborted(signal)
  const { size } = await accessible(spelling, async () => {
    await operations.access(path, options)
    throwIfAborted(signal)
    return operations.statFile(path, options)
  })
  refuseTooLarge(size, maxFileBytes)
  throwIfAborted(signal)
  const bytes = toBuffer(await operations.readFile(path, { maxBytes: maxFileBytes, ...options }))
  refuseTooLarge(bytes.length, maxFileBytes)
  const { oldText, newText, spans } = applyEdits(spelling, bytes, edits)
  // Before the write, behind which nothing may fail.
  const diffs = diffsOf(spelling, oldText, newText, spans)
  throwIfAborted(signal)
  await operations.writeFile(path, newText, options)
  return diffs
}

/** What the system says with a code is worded as the documented error. */
const accessible = async <A>(spelling: string, check: () => Promise<A>): Promise<A> => {
  try {
    return await check()
  } catch (error) {
    const code: unknown = error instanceof Error && "code" in error ? error.code : undefined
    if (typeof code !== "string" || code === "ABORT_ERR") throw error
    throw new ToolFailure(`Could not edit file: ${spelling}. Error code: ${code}.`)
  }
}

const refuseTooLarge = (size: unknown, maxFileBytes: number): void => {
  if (typeof size !== "number" || !(size >= 0)) throw new ToolFailure("EditOperations.statFile gave no size")
  if (size > maxFileBytes) throw new ToolFailure(`Edit target is ${size} bytes, exceeds ${maxFileBytes} byte limit.`)
}

const toBuffer = (bytes: unknown): Buffer => {
  if (Buffer.isBuffer(bytes)) return bytes
  if (!(bytes instanceof Uint8Array)) throw new ToolFailure("EditOperations.readFile gave no bytes")
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
