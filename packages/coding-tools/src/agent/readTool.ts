/** The `read` tool: a page of a text file, or an image. */
import { refuseUnknownOptions } from "../knownOptions.ts"
import { resolve } from "node:path"
import type { ExecutionPolicy, JsonObject, ToolDefinition, ToolExecutionContext, ToolResult } from "@arnilo/prism-core"
import { CodingToolsLimits, isWithin, outOfRange } from "../CodingToolsLimits.ts"
import { authorize } from "./authorize.ts"
import { existingSpelling } from "./existingSpelling.ts"
import { readImage } from "./readImage.ts"
import { localReadOperations } from "./ReadOperations.ts"
import { readPage, type ReadRange } from "./readPage.ts"
import { callOperation, resolveReadSettings, type ReadSettings, type ReadToolOptions } from "./ReadSettings.ts"
import { resolvePath } from "./resolvePath.ts"
import { failure, messageOf, OPERATION_ABORTED, throwIfAborted, ToolFailure } from "./results.ts"
import { untilAborted } from "./untilAborted.ts"

const NAME = "read"
const KNOWN = {
  executionPolicy: true,
  operations: true,
  maxImageBytes: true,
  transformImage: true,
  maxLines: true,
  maxBytes: true,
  maxScanBytes: true
} as const

/**
 * Reads files below `cwd`, or anywhere that the policy allows. Throws for options out of range; `execute` never rejects.
 * It has no containment of its own: without a policy it reads whatever the process may.
 */
export const createReadTool = (cwd: string, options: ReadToolOptions = {}): ToolDefinition => {
  const settings = resolveReadSettings(options)
  refuseUnknownOptions("The read tool", options, KNOWN)
  return {
    name: NAME,
    description:
      `Read a file. Text comes in pages of at most ${settings.maxLines} lines and ${settings.maxBytes} bytes; ` +
      "offset and limit choose the page. PNG, JPEG, GIF, WebP and BMP files are shown as images.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, absolute or relative to the working directory" },
        offset: { type: "number", description: "The first line to read, counted from 1" },
        limit: { type: "number", description: "How many lines to read" }
      },
      required: ["path"],
      additionalProperties: false
    },
    execute: async (args, context) => {
      try {
        return await execute(cwd, options.executionPolicy, settings, args, context)
      } catch (error) {
        return failure(NAME, context, context.signal?.aborted === true ? OPERATION_ABORTED : messageOf(error))
      }
    }
  }
}

const execute = async (
  cwd: string,
  policy: ExecutionPolicy | undefined,
  settings: ReadSettings,
  args: JsonObject,
  context: ToolExecutionContext
): Promise<ToolResult> => {
  const { signal } = context
  const { operations } = settings
  throwIfAborted(signal)
  const path = resolvePath(cwd, args.path)
  const range = { offset: inRange("offset", args.offset), limit: inRange("limit", args.limit) }
  // Before the policy is asked, so that it judges the name that is opened.
  const spelt = operations === localReadOperations ? await existingSpelling(path) : path
  const allowed = resolve(cwd, await untilAborted(signal, () => allowedPath(policy, spelt, range, context)))
  const withSignal = { ...(signal !== undefined && { signal }) }
  await callOperation(operations, "access", signal, (on) => on.access(allowed, withSignal))
  throwIfAborted(signal)
  const mimeType =
    operations.detectImageMimeType === undefined
      ? undefined
      : await callOperation(operations, "detectImageMimeType", signal, async (on) => on.detectImageMimeType?.(allowed))
  throwIfAborted(signal)
  return typeof mimeType === "string" && mimeType !== ""
    ? readImage(NAME, allowed, mimeType, settings, context)
    : readPage(NAME, allowed, range, settings, context)
}

const RANGES = {
  offset: { default: 1, hardCap: Number.MAX_SAFE_INTEGER },
  limit: CodingToolsLimits.maxLines
}

const inRange = (name: keyof typeof RANGES, value: unknown): number | undefined => {
  if (value === undefined || isWithin(value, RANGES[name])) return value
  throw new ToolFailure(outOfRange(name, RANGES[name]))
}

/** The path that the policy leaves, which may be another one. */
const allowedPath = async (
  policy: ExecutionPolicy | undefined,
  path: string,
  { offset, limit }: ReadRange,
  { sessionId, runId, signal }: ToolExecutionContext
): Promise<string> => {
  const metadata = { offset, limit, sessionId, runId, signal }
  const { paths } = await authorize(policy, { kind: "read", operation: "read", paths: [path], risk: "low", metadata })
  const [allowed]: ReadonlyArray<unknown> = paths ?? []
  if (typeof allowed === "string" && allowed !== "") return allowed
  throw new ToolFailure("The execution policy left no path to read")
}
