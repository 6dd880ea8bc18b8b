/** The tools together. */
import type { ExecutionPolicy, ToolDefinition } from "@arnilo/prism-core"
import { refuseUnknownOptions } from "../knownOptions.ts"
import { createEditTool, type EditToolOptions } from "./editTool.ts"
import type { ReadToolOptions } from "./ReadSettings.ts"
import { createReadTool } from "./readTool.ts"
import { createShellTool, type ShellToolOptions } from "./shellTool.ts"
import { createWriteTool, type WriteToolOptions } from "./writeTool.ts"

export interface ToolsOptions {
  /** Asked by every tool that has none of its own. */
  readonly executionPolicy?: ExecutionPolicy | undefined
  readonly shell?: ShellToolOptions | undefined
  readonly read?: ReadToolOptions | undefined
  readonly write?: WriteToolOptions | undefined
  readonly edit?: EditToolOptions | undefined
}

const KNOWN = { executionPolicy: true, shell: true, read: true, write: true, edit: true } as const

/** A tool's own policy takes the place of the shared one. Throws a `TypeError` for an option that there is not. */
const shared = (options: ToolsOptions): { readonly executionPolicy?: ExecutionPolicy } => {
  refuseUnknownOptions("The coding tools", options, KNOWN)
  const { executionPolicy } = options
  return executionPolicy === undefined ? {} : { executionPolicy }
}

/** `shell`, `read`, `write`, `edit`. Nothing is registered: hand them to an agent. */
export const createCodingTools = (cwd: string, options: ToolsOptions = {}): Array<ToolDefinition> => [
  createShellTool(cwd, { ...shared(options), ...options.shell }),
  createReadTool(cwd, { ...shared(options), ...options.read }),
  createWriteTool(cwd, { ...shared(options), ...options.write }),
  createEditTool(cwd, { ...shared(options), ...options.edit })
]

/** All tools that there are: the same as `createCodingTools`. */
export const createAllTools = (cwd: string, options: ToolsOptions = {}): Array<ToolDefinition> =>
  createCodingTools(cwd, options)

/** `read` alone. */
export const createReadOnlyTools = (cwd: string, options: ToolsOptions = {}): Array<ToolDefinition> => [
  createReadTool(cwd, { ...shared(options), ...options.read })
]
