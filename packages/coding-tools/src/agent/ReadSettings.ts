/** The options of the `read` tool, with their defaults filled in. */
import type { ExecutionPolicy } from "@arnilo/prism-core"
import { resolveLimit } from "../CodingToolsLimits.ts"
import type { TransformImage } from "./images.ts"
import { localReadOperations, type ReadOperations } from "./ReadOperations.ts"
import { ToolFailure } from "./results.ts"
import { untilAborted } from "./untilAborted.ts"

export interface ReadToolOptions {
  /** Asked before each read. */
  executionPolicy?: ExecutionPolicy
  /** Takes the place of the local file system. */
  operations?: ReadOperations
  maxImageBytes?: number
  /** Changes an image before the model sees it, to make it smaller for example. */
  transformImage?: TransformImage
  maxLines?: number
  maxBytes?: number
  /** Bytes that one call may read to find and fill its page. */
  maxScanBytes?: number
}

export interface ReadSettings {
  readonly operations: ReadOperations
  readonly transformImage: TransformImage | undefined
  readonly maxImageBytes: number
  readonly maxLines: number
  readonly maxBytes: number
  readonly maxScanBytes: number
}

/** Throws a `RangeError` for a limit out of range and a `TypeError` for the removed option `autoResizeImages`. */
export const resolveReadSettings = (options: ReadToolOptions): ReadSettings => {
  if ("autoResizeImages" in options) {
    throw new TypeError('Read tool: "autoResizeImages" was removed in 0.1.5; use "transformImage" instead.')
  }
  return {
    operations: options.operations ?? localReadOperations,
    transformImage: options.transformImage,
    maxImageBytes: resolveLimit("maxImageBytes", options.maxImageBytes),
    maxLines: resolveLimit("maxLines", options.maxLines),
    maxBytes: resolveLimit("maxBytes", options.maxBytes),
    maxScanBytes: resolveLimit("maxScanBytes", options.maxScanBytes)
  }
}

/**
 * Calls a member of the backend. The local one heeds an abort and has closed its file when it settles; another one may do
 * neither and is not waited for. Throws `ToolFailure` that names a member that is missing.
 */
export const callOperation = async <A>(
  operations: ReadOperations,
  name: keyof ReadOperations,
  signal: AbortSignal | undefined,
  call: (operations: ReadOperations) => Promise<A>
): Promise<A> => {
  if (typeof operations[name] !== "function") throw new ToolFailure(`ReadOperations.${name} is missing`)
  return operations === localReadOperations ? call(operations) : untilAborted(signal, async () => call(operations))
}
