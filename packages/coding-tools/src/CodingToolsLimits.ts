/** What coding tools may read, write, print and wait for. Out of range throws where a tool is made; nothing is clamped. */
interface Bound {
  /** Without an option of its own. */
  readonly default: number
  readonly hardCap: number
}

const KIB = 1024
const MIB = 1024 * KIB

/** By option. Lines and edits are counted, bytes are bytes, `timeout` is in seconds. */
export const CodingToolsLimits = {
  maxLines: { default: 2_000, hardCap: 100_000 },
  maxBytes: { default: 50 * KIB, hardCap: MIB },
  maxScanBytes: { default: 64 * MIB, hardCap: 1_024 * MIB },
  maxImageBytes: { default: 10_000_000, hardCap: 32 * MIB },
  maxWriteBytes: { default: 8 * MIB, hardCap: 64 * MIB },
  maxFileBytes: { default: 8 * MIB, hardCap: 64 * MIB },
  maxEditInputBytes: { default: 2 * MIB, hardCap: 16 * MIB },
  maxEdits: { default: 100, hardCap: 1_000 },
  timeout: { default: 600, hardCap: 3_600 },
  maxTotalOutputBytes: { default: 64 * MIB, hardCap: 1_024 * MIB }
} as const satisfies Record<string, Bound>

export type CodingToolsLimit = keyof typeof CodingToolsLimits

/** Whether a value is within a bound. */
export const isWithin = (value: unknown, { hardCap }: Bound): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 1 && value <= hardCap

/** `<name> must be a positive safe integer at most <hardCap>`. */
export const outOfRange = (name: string, { hardCap }: Bound): string =>
  `${name} must be a positive safe integer at most ${hardCap}`

/** The value of an option, or its default. Throws a `RangeError` that names the option as the caller spelt it. */
export const resolveLimit = (limit: CodingToolsLimit, value: number | undefined, name: string = limit): number => {
  const bound = CodingToolsLimits[limit]
  if (value === undefined) return bound.default
  if (!isWithin(value, bound)) throw new RangeError(outOfRange(name, bound))
  return value
}

export const DEFAULT_MAX_LINES = CodingToolsLimits.maxLines.default
export const HARD_MAX_LINES = CodingToolsLimits.maxLines.hardCap
export const DEFAULT_MAX_BYTES = CodingToolsLimits.maxBytes.default
export const HARD_MAX_BYTES = CodingToolsLimits.maxBytes.hardCap
export const DEFAULT_MAX_TEXT_SCAN_BYTES = CodingToolsLimits.maxScanBytes.default
export const HARD_MAX_TEXT_SCAN_BYTES = CodingToolsLimits.maxScanBytes.hardCap
export const DEFAULT_MAX_IMAGE_BYTES = CodingToolsLimits.maxImageBytes.default
export const HARD_MAX_IMAGE_BYTES = CodingToolsLimits.maxImageBytes.hardCap
export const DEFAULT_MAX_WRITE_BYTES = CodingToolsLimits.maxWriteBytes.default
export const HARD_MAX_WRITE_BYTES = CodingToolsLimits.maxWriteBytes.hardCap
export const DEFAULT_MAX_EDIT_FILE_BYTES = CodingToolsLimits.maxFileBytes.default
export const HARD_MAX_EDIT_FILE_BYTES = CodingToolsLimits.maxFileBytes.hardCap
export const DEFAULT_MAX_EDIT_INPUT_BYTES = CodingToolsLimits.maxEditInputBytes.default
export const HARD_MAX_EDIT_INPUT_BYTES = CodingToolsLimits.maxEditInputBytes.hardCap
export const DEFAULT_MAX_EDITS = CodingToolsLimits.maxEdits.default
export const HARD_MAX_EDITS = CodingToolsLimits.maxEdits.hardCap
export const DEFAULT_SHELL_TIMEOUT_SECONDS = CodingToolsLimits.timeout.default
export const HARD_SHELL_TIMEOUT_SECONDS = CodingToolsLimits.timeout.hardCap
export const DEFAULT_MAX_TOTAL_OUTPUT_BYTES = CodingToolsLimits.maxTotalOutputBytes.default
export const HARD_MAX_TOTAL_OUTPUT_BYTES = CodingToolsLimits.maxTotalOutputBytes.hardCap
