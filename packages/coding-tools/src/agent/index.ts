/** Tools that work on files and run commands. */
export {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_EDIT_FILE_BYTES,
  DEFAULT_MAX_EDIT_INPUT_BYTES,
  DEFAULT_MAX_EDITS,
  DEFAULT_MAX_IMAGE_BYTES,
  DEFAULT_MAX_LINES,
  DEFAULT_MAX_TEXT_SCAN_BYTES,
  DEFAULT_MAX_TOTAL_OUTPUT_BYTES,
  DEFAULT_MAX_WRITE_BYTES,
  DEFAULT_SHELL_TIMEOUT_SECONDS,
  HARD_MAX_BYTES,
  HARD_MAX_EDIT_FILE_BYTES,
  HARD_MAX_EDIT_INPUT_BYTES,
  HARD_MAX_EDITS,
  HARD_MAX_IMAGE_BYTES,
  HARD_MAX_LINES,
  HARD_MAX_TEXT_SCAN_BYTES,
  HARD_MAX_TOTAL_OUTPUT_BYTES,
  HARD_MAX_WRITE_BYTES,
  HARD_SHELL_TIMEOUT_SECONDS
} from "../CodingToolsLimits.ts"
export { createLocalBashOperations } from "./BashOperations.ts"
export { getShellConfig } from "../process/getShellConfig.ts"
export type { BashOperations, BashSpawnContext, BashSpawnHook } from "./BashOperations.ts"
export type { BashExecOptions, BashExecResult } from "../process/BashExec.ts"
export { createAllTools, createCodingTools, createReadOnlyTools } from "./codingTools.ts"
export type { ToolsOptions } from "./codingTools.ts"
export type { EditOperations } from "./EditOperations.ts"
export { createEditTool } from "./editTool.ts"
export type { EditToolOptions } from "./editTool.ts"
export type { BackgroundProcess } from "../process/processes.ts"
export { detectSupportedImageMimeType, detectSupportedImageMimeTypeFromFile } from "./images.ts"
export type { TransformImage, TransformImageInput } from "./images.ts"
export { killProcessTree } from "../process/killProcessTree.ts"
export { withFileMutationQueue } from "./mutationQueue.ts"
export type { ReadOperations, ReadTextOptions, ReadTextResult } from "./ReadOperations.ts"
export type { ReadToolOptions } from "./ReadSettings.ts"
export { createReadTool } from "./readTool.ts"
export { createShellTool } from "./shellTool.ts"
export type { ShellToolOptions } from "./shellTool.ts"
export { formatSize, truncateHead, truncateTail } from "./truncate.ts"
export type { TruncationResult } from "./truncate.ts"
export type { WriteOperations } from "./WriteOperations.ts"
export { createWriteTool } from "./writeTool.ts"
export type { WriteToolOptions } from "./writeTool.ts"
