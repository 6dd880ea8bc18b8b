/** What the optional packages export, as literals: a change here is a change for hosts. */

export const MCP = [
  "McpAuthorizationError",
  "McpBridgeClosedError",
  "McpBridgeError",
  "McpRequestError",
  "McpToolNameCollisionError",
  "McpTools",
  "attachMcpToolBridge",
  "connectMcpTools",
  "createMcpToolRegistry",
  "createMcpTransport",
  "defaultMcpNamePrefix",
  "formatMcpToolName",
  "listAllMcpTools",
  "mapMcpContentToBlocks"
]

export const CODING_LIMITS = {
  DEFAULT_MAX_LINES: 2_000,
  HARD_MAX_LINES: 100_000,
  DEFAULT_MAX_BYTES: 51_200,
  HARD_MAX_BYTES: 1_048_576,
  DEFAULT_MAX_TEXT_SCAN_BYTES: 67_108_864,
  HARD_MAX_TEXT_SCAN_BYTES: 1_073_741_824,
  DEFAULT_MAX_IMAGE_BYTES: 10_000_000,
  HARD_MAX_IMAGE_BYTES: 33_554_432,
  DEFAULT_MAX_WRITE_BYTES: 8_388_608,
  HARD_MAX_WRITE_BYTES: 67_108_864,
  DEFAULT_MAX_EDIT_FILE_BYTES: 8_388_608,
  HARD_MAX_EDIT_FILE_BYTES: 67_108_864,
  DEFAULT_MAX_EDIT_INPUT_BYTES: 2_097_152,
  HARD_MAX_EDIT_INPUT_BYTES: 16_777_216,
  DEFAULT_MAX_EDITS: 100,
  HARD_MAX_EDITS: 1_000,
  DEFAULT_SHELL_TIMEOUT_SECONDS: 600,
  HARD_SHELL_TIMEOUT_SECONDS: 3_600,
  DEFAULT_MAX_TOTAL_OUTPUT_BYTES: 67_108_864,
  HARD_MAX_TOTAL_OUTPUT_BYTES: 1_073_741_824
}

export const CODING_AGENT = [
  ...Object.keys(CODING_LIMITS),
  "createAllTools",
  "createCodingTools",
  "createEditTool",
  "createLocalBashOperations",
  "createReadOnlyTools",
  "createReadTool",
  "createShellTool",
  "createWriteTool",
  "detectSupportedImageMimeType",
  "detectSupportedImageMimeTypeFromFile",
  "formatSize",
  "getShellConfig",
  "killProcessTree",
  "truncateHead",
  "truncateTail",
  "withFileMutationQueue"
].toSorted()

export const CODING_SECURITY = [
  "CodingApprovalPolicy",
  "SandboxExecutionError",
  "SandboxUnavailableError",
  "analyzeCommand",
  "assertPathInsideRoots",
  "createBubblewrapSandbox",
  "createCodingApprovalPolicy",
  "createSandboxBashOperations",
  "createTerminalApproval",
  "evaluateCommandRules",
  "hasShellMetacharacters",
  "isPathInside",
  "isPathInsideReal",
  "readOnlyCommandRules"
]
